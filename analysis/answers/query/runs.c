/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.c - loads several experiments. One thread. The name of a set consists of values that the
 * user gave with --set or that the repository has for every experiment. */
#include "answers/query/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "repository/database/stored_check.h"

static const struct column columns[] = {
	{ "name", "", CELL_TEXT },	  { "p", "", CELL_INTEGER },
	{ "t_p", "", CELL_INTEGER },	  { "seq", "", CELL_INTEGER },
	{ "application", "", CELL_TEXT }, { "version", "", CELL_INTEGER },
	{ "command", "", CELL_TEXT },	  { "processes", "", CELL_INTEGER },
	{ "problem", "", CELL_TEXT },
};

static const char experiment[] =
	"SELECT e.name, e.p, e.t_p_ns, e.role = 'seq', a.name, e.version, e.command, "
	"(SELECT count(DISTINCT process) FROM processing_unit WHERE experiment = e.id), "
	RUN_PROBLEM("e") " "
	"FROM experiment e "
	"JOIN version v ON v.id = e.version "
	"JOIN application a ON a.id = v.application "
	"WHERE e.id = ?1";

static const char value_of_key[] =
	"SELECT "
	"CAST(coalesce( (SELECT value FROM experiment_fact WHERE experiment = e.id AND key = ?2), "
	"CASE ?2 WHEN 'application' THEN a.name WHEN 'version' THEN v.checksum "
	"WHEN 'compiler' THEN v.compiler WHEN 'flags' THEN v.flags WHEN 'program' THEN e.program "
	"WHEN 'command' THEN e.command WHEN 'arguments' THEN " RUN_ARGUMENTS("e") " "
	"WHEN 'problem' THEN " RUN_PROBLEM("e") " WHEN 'role' THEN e.role WHEN 'p' THEN e.p "
	"WHEN 'processes' THEN (SELECT count(DISTINCT process) FROM processing_unit "
	"WHERE experiment = e.id) WHEN 'threads' THEN (SELECT max(thread) + 1 FROM processing_unit "
	"WHERE experiment = e.id) WHEN 'nodes' THEN m.nodes WHEN 'network' THEN w.name "
	"WHEN 'host' THEN "
	"(SELECT h.host FROM node n JOIN physical_machine h ON h.id = n.physical_machine "
	"WHERE n.virtual_machine = m.id ORDER BY n.id LIMIT 1) END) AS TEXT) "
	"FROM experiment e "
	"JOIN version v ON v.id = e.version "
	"JOIN application a ON a.id = v.application "
	"JOIN virtual_machine m ON m.id = e.virtual_machine "
	"JOIN network w ON w.id = m.network "
	"WHERE e.id = ?1";

/* Appends the value of a key to the name of a set; with several keys, as KEY=VALUE. A sequential
 * run without a value belongs to every set. */
static int add_value(struct buf *set, struct run *run, struct repo *repo, const char *key,
		     bool several, struct err *err)
{
	static const struct column column = { "value", "", CELL_TEXT };
	struct table t;
	table_init(&t, &column, 1);
	int rc = repo_fill(repo, &t, err, value_of_key, "it", run->id, key);
	const struct cell *cell = rc == 0 && table_rows(&t) ? table_cell(&t, 0, 0) : NULL;
	if (cell && cell->kind == CELL_TEXT)
		buf_print(set, "%s%s%s%s", set->length ? ", " : "", several ? key : "",
			  several ? "=" : "", cell->text);
	else if (rc == 0 && run->sequential)
		run->everywhere = true;
	else if (rc == 0)
		rc = err_fail(err, "experiment '%s' has no '%s' to group by; set it with "
			      "`sis-analyze import DIRECTORY --set %s=...`, or use one of "
			      RUN_KEYS, run->name, key, key);
	table_release(&t);
	return rc;
}

static int load_set(struct run *run, struct repo *repo, const char *keys, struct err *err)
{
	struct buf set = { 0 };
	int rc = 0;
	bool several = keys && strchr(keys, ',');
	for (size_t n; rc == 0 && keys; keys = keys[n] ? keys + n + 1 : NULL) {
		n = strcspn(keys, ",");
		char *key = mem_print("%.*s", (int)n, keys);
		rc = add_value(&set, run, repo, key, several, err);
		free(key);
	}
	run->set = buf_take(&set);
	return rc;
}

static void release(struct run *run)
{
	free(run->name);
	free(run->set);
	free(run->application);
	free(run->command);
	free(run->problem);
}

int run_load(struct run *run, struct repo *repo, int64_t id, const char *keys, struct err *err)
{
	struct table t;
	*run = (struct run){ .id = id };
	table_init(&t, columns, sizeof columns / sizeof *columns);
	int rc = stored_check(repo, id, err);
	rc = rc ? rc : repo_fill(repo, &t, err, experiment, "i", id);
	if (rc == 0) {
		const struct cell *cell = table_cell(&t, 0, 0);
		*run = (struct run){ .id = id,
				     .p = cell[1].integer,
				     .t_p_ns = cell[2].integer,
				     .name = mem_string(cell[0].text),
				     .sequential = cell[3].integer,
				     .application = mem_string(cell[4].text),
				     .version = cell[5].integer,
				     .command = mem_string(cell[6].text),
				     .processes = cell[7].integer,
				     .problem = mem_string(cell[8].text) };
		rc = load_set(run, repo, keys, err);
	}
	table_release(&t);
	if (rc)
		release(run);
	return rc;
}

int runs_add(run_list *runs, struct repo *repo, int64_t id, const char *keys, struct err *err)
{
	struct run run;
	for (size_t i = 0; i < runs->n; i++)
		if (runs->at[i].id == id)
			return 0;
	if (run_load(&run, repo, id, keys, err))
		return ERR_FAILED;
	*vec_push(runs) = run;
	return 0;
}

/* -- sets -------------------------------------------------------------------------------------- */

static void move_to_set(struct run *run, const char *set)
{
	free(run->set);
	run->set = mem_string(set);
}

void runs_separate(run_list *runs)
{
	const char *problem = NULL;
	bool several = false;
	for (size_t i = 0; i < runs->n; i++) {
		struct run *run = &runs->at[i];
		run->everywhere = run->sequential && !*run->problem;
		if (run->everywhere)
			continue;
		several |= problem && strcmp(problem, run->problem) != 0;
		problem = run->problem;
	}
	for (size_t i = 0; i < runs->n; i++) {
		runs->at[i].everywhere &= several;
		if (several && !runs->at[i].everywhere)
			move_to_set(&runs->at[i], runs->at[i].problem);
	}
}

/* Whether a run before run k is in the same set. */
static bool is_repeated_set(const run_list *runs, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (!runs->at[i].everywhere && strcmp(runs->at[i].set, runs->at[k].set) == 0)
			return true;
	return false;
}

int runs_spread(run_list *runs, struct repo *repo, struct err *err)
{
	run_list all = { 0 };
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < runs->n; k++)
		for (size_t i = 0; rc == 0 && i < runs->n && !runs->at[k].everywhere; i++) {
			struct run run;
			if (!runs->at[i].everywhere || is_repeated_set(runs, k))
				continue;
			rc = run_load(&run, repo, runs->at[i].id, NULL, err);
			if (rc == 0) {
				move_to_set(&run, runs->at[k].set);
				*vec_push(&all) = run;
			}
		}
	bool alone = all.n == 0; /* there is no set into which they can be put */
	for (size_t i = 0; i < runs->n; i++)
		if (!runs->at[i].everywhere || alone)
			*vec_push(&all) = runs->at[i];
		else
			release(&runs->at[i]);
	vec_free(runs);
	*runs = all;
	return rc;
}

/* -- runs of one application ------------------------------------------------------------------- */

/* Adds the experiments whose ids the statement returns for experiment ?1. */
static int add_found(run_list *runs, struct repo *repo, const char *sql, int64_t id,
		     const char *keys, struct err *err)
{
	static const struct column column = { "id", "", CELL_INTEGER };
	struct table t;
	table_init(&t, &column, 1);
	int rc = repo_fill(repo, &t, err, sql, "i", id);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++)
		rc = runs_add(runs, repo, table_cell(&t, i, 0)->integer, keys, err);
	table_release(&t);
	return rc;
}

static const char of_application[] =
	"SELECT e.id "
	"FROM experiment e "
	"JOIN version v ON v.id = e.version "
	"WHERE e.complete AND v.application = (SELECT w.application FROM version w "
	"JOIN experiment n ON n.version = w.id WHERE n.id = ?1) "
	"ORDER BY e.started_ns, e.id";

static const char repetitions[] =
	"SELECT e.id "
	"FROM experiment e "
	"JOIN experiment n ON n.id = ?1 "
	"WHERE e.complete AND e.version = n.version AND e.command = n.command AND e.p = n.p "
	"AND e.role = n.role "
	"ORDER BY e.started_ns, e.id";

int runs_add_of_application(run_list *runs, struct repo *repo, int64_t id, const char *keys,
			    struct err *err)
{
	return add_found(runs, repo, of_application, id, keys, err);
}

int runs_add_repetitions(run_list *runs, struct repo *repo, int64_t id, struct err *err)
{
	return add_found(runs, repo, repetitions, id, NULL, err);
}

bool runs_repeat(const struct run *a, const struct run *b)
{
	return a->p == b->p && a->processes == b->processes && a->version == b->version &&
		a->sequential == b->sequential && strcmp(a->command, b->command) == 0;
}

int runs_check_application(const run_list *runs, const char *command, struct err *err)
{
	for (size_t i = 1; i < runs->n; i++) {
		const struct run *a = &runs->at[0], *b = &runs->at[i];
		if (strcmp(a->application, b->application) != 0)
			return err_fail(err, "%s: '%s' is a run of application '%s', '%s' one of "
					"'%s'; name runs of one application, or give "
					"--any-application", command, a->name, a->application,
					b->name, b->application);
	}
	return 0;
}

void runs_release(run_list *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		release(&runs->at[i]);
	vec_free(runs);
}
