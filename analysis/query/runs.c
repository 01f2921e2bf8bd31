/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.c - reads the rows of several experiments. One thread. The name of a set is a fact of the
 * user (--set), or else a value that the repository has for every experiment. */
#include "query/runs.h"

#include <stdlib.h>
#include <string.h>

#include "repository/stored_check.h"

static const struct column columns[] = {
	{ "name", "", CELL_TEXT },   { "p", "", CELL_INTEGER }, { "t_p", "", CELL_INTEGER },
	{ "seq", "", CELL_INTEGER }, { "set", "", CELL_TEXT },
};

static const char experiment[] =
	"SELECT e.name, e.p, e.t_p_ns, e.role = 'seq', "
	"CAST(coalesce( (SELECT value FROM experiment_fact WHERE experiment = e.id AND key = ?2), "
	"CASE ?2 WHEN 'application' THEN a.name WHEN 'version' THEN v.checksum "
	"WHEN 'compiler' THEN v.compiler WHEN 'flags' THEN v.flags WHEN 'program' THEN e.program "
	"WHEN 'command' THEN e.command WHEN 'role' THEN e.role WHEN 'p' THEN e.p "
	"WHEN 'processes' THEN (SELECT count(DISTINCT process) FROM processing_unit "
	"WHERE experiment = e.id) WHEN 'threads' THEN (SELECT max(thread) + 1 FROM processing_unit "
	"WHERE experiment = e.id) WHEN 'nodes' THEN m.nodes WHEN 'host' THEN "
	"(SELECT h.host FROM node n JOIN physical_machine h ON h.id = n.physical_machine "
	"WHERE n.virtual_machine = m.id ORDER BY n.id LIMIT 1) END) AS TEXT) "
	"FROM experiment e "
	"JOIN version v ON v.id = e.version "
	"JOIN application a ON a.id = v.application "
	"JOIN virtual_machine m ON m.id = e.virtual_machine "
	"WHERE e.id = ?1";

int run_load(struct run *run, struct repo *repo, int64_t id, const char *key, struct err *err)
{
	struct table t;
	table_init(&t, columns, sizeof columns / sizeof *columns);
	int rc = stored_check(repo, id, err);
	rc = rc ? rc : repo_fill(repo, &t, err, experiment, "it", id, key);
	if (rc == 0) {
		const struct cell *cell = table_cell(&t, 0, 0);
		if (key && cell[4].kind == CELL_NULL)
			rc = err_fail(err, "experiment '%s' has no '%s' to group by; set it with "
				      "`sis-analyze import DIRECTORY --set %s=...`, or use one of "
				      RUN_KEYS, cell[0].text, key, key);
		else
			*run = (struct run){ id, cell[1].integer, cell[2].integer,
				mem_string(cell[0].text),
					     mem_string(key ? cell[4].text : ""), cell[3].integer };
	}
	table_release(&t);
	return rc;
}

int runs_add(run_list *runs, struct repo *repo, int64_t id, const char *key, struct err *err)
{
	struct run run;
	for (size_t i = 0; i < runs->n; i++)
		if (runs->at[i].id == id)
			return 0;
	if (run_load(&run, repo, id, key, err))
		return ERR_FAILED;
	*vec_push(runs) = run;
	return 0;
}

/* Adds the experiments whose ids the statement returns for experiment ?1. */
static int add_found(run_list *runs, struct repo *repo, const char *sql, int64_t id,
		     const char *key, struct err *err)
{
	static const struct column column = { "id", "", CELL_INTEGER };
	struct table t;
	table_init(&t, &column, 1);
	int rc = repo_fill(repo, &t, err, sql, "i", id);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++)
		rc = runs_add(runs, repo, table_cell(&t, i, 0)->integer, key, err);
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

int runs_add_of_application(run_list *runs, struct repo *repo, int64_t id, const char *key,
			    struct err *err)
{
	return add_found(runs, repo, of_application, id, key, err);
}

int runs_add_repetitions(run_list *runs, struct repo *repo, int64_t id, struct err *err)
{
	return add_found(runs, repo, repetitions, id, NULL, err);
}

void runs_release(run_list *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		free(runs->at[i].name);
		free(runs->at[i].set);
	}
	vec_free(runs);
}
