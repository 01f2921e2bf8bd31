/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_scaling.c - see blame_scaling.h. Owns temp.blame_run; one thread. Variables are matched by
 * the path of their blame point, their name and their type. */
#include "commands/blame_scaling.h"

#include <string.h>

#include "commands/run_arguments.h"
#include "commands/table_view.h"

enum { DIFFERENCE = 7, SPEEDUP, EFFICIENCY, COLUMNS };
static const struct column columns[COLUMNS] = {
	{ "blame_point", "blame point", CELL_TEXT }, { "variable", "variable", CELL_TEXT },
	{ "type", "type", CELL_TEXT },               { "experiment", "experiment", CELL_TEXT },
	{ "samples", NULL, CELL_REAL },              { "share", "share", CELL_SHARE },
	{ "seconds", "seconds", CELL_SECONDS },
	[DIFFERENCE] = { "difference", "difference [s]", CELL_SECONDS },
	[SPEEDUP] = { "speedup", "speedup", CELL_FACTOR },
	[EFFICIENCY] = { "efficiency", "efficiency", CELL_SHARE },
};

/* Partitioned samples of three kinds of blame points: outermost points; points that were chosen;
 * and points above which blame cannot rise, if they have 1 % of the samples in at least one run. If
 * a run lacks a variable, the variable's time in this run is 0. */
static const char lines[] =
	"WITH point AS (SELECT DISTINCT b.path FROM temp.blame_run r "
	"JOIN sampling s ON s.experiment = r.experiment "
	"JOIN blame_point b ON b.experiment = r.experiment "
	"WHERE b.parent IS NULL OR b.is_chosen OR (b.is_top AND 100.0 * b.samples >= s.samples)), "
	"variable_of AS (SELECT r.place, b.path, v.name, v.type, "
	"sum(m.parts) / (1.0 * s.unit) AS samples, "
	"sum(m.weight) / r.p AS ns, min(v.kind = 'output' OR v.kind = 'other') AS is_rest "
	"FROM temp.blame_run r JOIN sampling s ON s.experiment = r.experiment "
	"JOIN blame_point b ON b.experiment = r.experiment JOIN point ON point.path = b.path "
	"JOIN variable v ON v.blame_point = b.id AND v.field = '' "
	"JOIN blame m ON m.variable = v.id "
	"GROUP BY r.place, b.path, v.name, v.type), "
	"named AS (SELECT path, name, type, max(is_rest) AS is_rest, max(ns) AS most "
	"FROM variable_of GROUP BY path, name, type), "
	"line AS (SELECT n.*, r.place, r.name AS experiment, r.p, r.all_samples, "
	"coalesce(v.samples, 0) AS samples, coalesce(v.ns, 0) AS ns, "
	"first_value(coalesce(v.ns, 0)) OVER w AS base_ns, first_value(r.p) OVER w AS base_p "
	"FROM named n JOIN temp.blame_run r LEFT JOIN variable_of v ON v.place = r.place "
	"AND v.path = n.path AND v.name = n.name AND v.type = n.type "
	"WINDOW w AS (PARTITION BY n.path, n.name, n.type ORDER BY r.place)) "
	"SELECT path, name, type, experiment, samples, "
	"CASE WHEN all_samples > 0 THEN samples / all_samples END, ns, "
	"CASE WHEN place > 0 THEN ns - base_ns END, "
	"CASE WHEN ns > 0 THEN 1.0 * base_ns / ns END, "
	"CASE WHEN ns > 0 THEN 1.0 * base_ns * base_p / (1.0 * ns * p) END "
	"FROM line ORDER BY path <> 'main', path, is_rest, most DESC, name, type, place";

static int add_run(struct context *c, size_t number, const struct run *run, struct err *err)
{
	int64_t samples = 0;
	int found = repo_number(c->repo, &samples, err,
				"SELECT samples FROM sampling WHERE experiment = ? "
				"AND metric IN ('', 'WTIME')", "i", run->id);
	if (found < 0)
		return ERR_FAILED;
	if (found == 0)
		return err_fail(err, "'%s' has no samples of the time; build the program with sisc "
				"--sis-blame, and run it with SIS_BLAME=1", run->name);
	return repo_run(c->repo, err, "INSERT INTO temp.blame_run VALUES (?, ?, ?, ?, ?)", "iitii",
			(int64_t)number, run->id, run->name, run->p, samples);
}

int blame_scaling(struct context *c, bool speedup, struct err *err)
{
	const char *by = cli_get(&c->cli, "--by"), *name = speedup ? "speedup" : "compare";
	struct column column[COLUMNS];
	struct table table;
	run_list runs = { 0 };
	if (strcmp(by, "variable") != 0)
		return err_usage(err, "%s: --by '%s' is unknown; there is --by variable", name, by);
	memcpy(column, columns, sizeof column);
	column[speedup ? DIFFERENCE : SPEEDUP].title = NULL;
	if (!speedup)
		column[EFFICIENCY].title = NULL;
	table_init(&table, column, COLUMNS);
	int rc = runs_of_arguments(&runs, c, NULL, err);
	rc = rc ? rc : repo_run(c->repo, err, "DROP TABLE IF EXISTS temp.blame_run", "");
	rc = rc ? rc : repo_run(c->repo, err,
				"CREATE TEMP TABLE blame_run (place INTEGER PRIMARY KEY, "
				"experiment INTEGER, name TEXT, p INTEGER, all_samples INTEGER)",
				"");
	for (size_t i = 0; rc == 0 && i < runs.n; i++)
		rc = add_run(c, i, &runs.at[i], err);
	rc = rc ? rc : repo_fill(c->repo, &table, err, lines, "");
	rc = rc ? rc : shape_print(c, &table, name, err);
	table_release(&table);
	runs_release(&runs);
	return rc;
}
