/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_imbalance.c - `sis-analyze imbalance`: how evenly the PUs that execute a region share its
 * work. */
#include "commands/table_view.h"
#include "answers/query/pu_names.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

static const struct column columns[] = {
	{ "region", "region", CELL_TEXT },
	{ NULL, "place", CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER },
	{ "units", "units", CELL_INTEGER },
	{ "mean", "mean [s]", CELL_SECONDS },
	{ "max", "max [s]", CELL_SECONDS },
	{ "min", "min [s]", CELL_SECONDS },
	{ "ratio", "max/mean", CELL_FACTOR },
	{ "lost_seconds", "lost [s]", CELL_SECONDS },
	{ "lost_percent", NULL, CELL_REAL },
	{ NULL, "of T_p", CELL_SHARE },
	{ "slowest", NULL, CELL_TEXT },
	{ NULL, "slowest", CELL_TEXT },
};

/* Useful work of each region of the source, with what the runtime adds below it. The time lost is
 * max - mean: the mean time for which a PU had no work while the slowest still worked. The
 * percentage is the lost time divided by T_p. */
static const char sql[] =
	"WITH work AS (SELECT s.region, m.pu, sum(m.useful_ns) AS ns FROM drg_node n "
	"JOIN drg_node s ON s.id = n.source_node JOIN region_summary m ON m.drg_node = n.id "
	"WHERE n.experiment = ?1 GROUP BY s.region, m.pu), "
	"spread AS (SELECT region, count(*) AS units, sum(ns) / count(*) AS mean, max(ns) AS most, "
	"min(ns) AS least FROM work GROUP BY region), "
	"slowest AS (SELECT region, pu, max(ns) FROM work GROUP BY region) "
	"SELECT r.name, r.file || ':' || r.line_start, r.file, r.line_start, w.units, w.mean, "
	"w.most, w.least, CASE WHEN w.mean > 0 THEN 1.0 * w.most / w.mean END, w.most - w.mean, "
	"CASE WHEN e.t_p_ns > 0 THEN 100.0 * (w.most - w.mean) / e.t_p_ns END, "
	"CASE WHEN e.t_p_ns > 0 THEN 1.0 * (w.most - w.mean) / e.t_p_ns END, "
	"u.process || '.' || u.thread, n.name "
	"FROM spread w "
	"JOIN slowest x ON x.region = w.region "
	"JOIN processing_unit u ON u.id = x.pu "
	"JOIN temp.pu_name n ON n.pu = x.pu "
	"JOIN region r ON r.id = w.region "
	"JOIN experiment e ON e.id = ?1 "
	"WHERE w.units > 1 AND w.most > 0 AND r.line_start > 0 "
	"ORDER BY w.most - w.mean DESC, r.id";

static int run_imbalance(struct context *c, struct err *err)
{
	int64_t id;
	struct table table;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	int rc = context_experiment(c, &id, err);
	rc = rc ? rc : pu_names_load(c->repo, id, err);
	rc = rc ? rc : repo_fill(c->repo, &table, err, sql, "i", id);
	rc = rc ? rc : shape_print(c, &table, "imbalance", err);
	table_release(&table);
	return rc;
}

const struct command cmd_imbalance = {
	"imbalance",
	"[EXP]",
	"Show how unevenly regions load the processing units",
	"For each region that several processing units execute: the useful time of these\n"
	"processing units. Lost is max - mean.\n"
	"Example: sis-analyze imbalance",
	options,
	1,
	run_imbalance,
};
