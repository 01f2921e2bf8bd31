/* runs.c - reads the rows of several experiments; one thread. A set is a string: of the user's facts (--set) first,
 * else of what the repository knows of every experiment. */
#include "query/runs.h"

#include <stdlib.h>
#include <string.h>

#include "query/stored_check.h"

static const struct column columns[] = {
	{ "name", "", CELL_TEXT }, { "p", "", CELL_INTEGER }, { "t_p", "", CELL_INTEGER }, { "seq", "", CELL_INTEGER },
	{ "set", "", CELL_TEXT },
};

static const char experiment[] =
	"SELECT e.name, e.p, e.t_p_ns, e.role = 'seq', CAST(coalesce("
	" (SELECT value FROM experiment_fact WHERE experiment = e.id AND key = ?2),"
	" CASE ?2 WHEN 'application' THEN a.name WHEN 'version' THEN v.checksum WHEN 'compiler' THEN v.compiler"
	"  WHEN 'flags' THEN v.flags WHEN 'program' THEN e.program WHEN 'command' THEN e.command WHEN 'role' THEN e.role"
	"  WHEN 'p' THEN e.p WHEN 'processes' THEN (SELECT count(DISTINCT process) FROM processing_unit WHERE experiment = e.id)"
	"  WHEN 'threads' THEN (SELECT max(thread) + 1 FROM processing_unit WHERE experiment = e.id)"
	"  WHEN 'nodes' THEN m.nodes"
	"  WHEN 'host' THEN (SELECT h.host FROM node n JOIN physical_machine h ON h.id = n.physical_machine"
	"   WHERE n.virtual_machine = m.id ORDER BY n.id LIMIT 1) END) AS TEXT) "
	"FROM experiment e JOIN version v ON v.id = e.version JOIN application a ON a.id = v.application "
	"JOIN virtual_machine m ON m.id = e.virtual_machine WHERE e.id = ?1";

int run_load(struct run *run, struct context *c, int64_t id, const char *key, struct err *err)
{
	struct table t;
	table_init(&t, columns, sizeof columns / sizeof *columns);
	int rc = stored_check(c->repo, id, err);
	rc = rc ? rc : repo_fill(c->repo, &t, err, experiment, "it", id, key);
	if (rc == 0) {
		const struct cell *cell = table_cell(&t, 0, 0);
		if (key && cell[4].kind == CELL_NULL)
			rc = err_fail(err, "experiment '%s' has no '%s' to group by; say it with `sis-analyze import DIRECTORY --set %s=...`, "
				      "or use one of " RUN_KEYS, cell[0].text, key, key);
		else
			*run = (struct run){ id, cell[1].integer, cell[2].integer, mem_string(cell[0].text),
					     mem_string(key ? cell[4].text : ""), cell[3].integer };
	}
	table_release(&t);
	return rc;
}

static int add(run_list *runs, struct context *c, int64_t id, const char *key, struct err *err)
{
	struct run run;
	for (size_t i = 0; i < runs->n; i++)
		if (runs->at[i].id == id)
			return 0;
	if (run_load(&run, c, id, key, err))
		return ERR_FAILED;
	*vec_push(runs) = run;
	return 0;
}

/* Adds the experiments whose ids the statement gives for experiment ?1. */
static int add_found(run_list *runs, struct context *c, const char *sql, int64_t id, const char *key, struct err *err)
{
	static const struct column column = { "id", "", CELL_INTEGER };
	struct table t;
	table_init(&t, &column, 1);
	int rc = repo_fill(c->repo, &t, err, sql, "i", id);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++)
		rc = add(runs, c, table_cell(&t, i, 0)->integer, key, err);
	table_release(&t);
	return rc;
}

static const char of_application[] =
	"SELECT e.id FROM experiment e JOIN version v ON v.id = e.version WHERE e.complete AND v.application = "
	"(SELECT w.application FROM version w JOIN experiment n ON n.version = w.id WHERE n.id = ?1) ORDER BY e.started_ns, e.id";

static const char repetitions[] =
	"SELECT e.id FROM experiment e JOIN experiment n ON n.id = ?1 WHERE e.complete AND e.version = n.version "
	"AND e.command = n.command AND e.p = n.p AND e.role = n.role ORDER BY e.started_ns, e.id";

int runs_of_list(run_list *runs, struct context *c, const char *list, bool repeats, struct err *err)
{
	int rc = 0;
	for (size_t n; rc == 0; list += n + 1) {
		int64_t id;
		n = strcspn(list, ",");
		char *name = mem_print("%.*s", (int)n, list);
		rc = context_named(c, name, &id, err);
		free(name);
		rc = rc ? rc : add(runs, c, id, NULL, err);
		rc = rc || !repeats ? rc : add_found(runs, c, repetitions, id, NULL, err);
		if (!list[n])
			break;
	}
	return rc;
}

int runs_of_arguments(run_list *runs, struct context *c, const char *key, struct err *err)
{
	int64_t id;
	if (!c->cli.argument.n)
		return context_experiment(c, &id, err) ? ERR_FAILED : add_found(runs, c, of_application, id, key, err);
	for (size_t i = 0; i < c->cli.argument.n; i++) {
		if (context_nth(c, i, &id, err) || add(runs, c, id, key, err))
			return ERR_FAILED;
	}
	return 0;
}

void runs_release(run_list *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		free(runs->at[i].name);
		free(runs->at[i].set);
	}
	vec_free(runs);
}
