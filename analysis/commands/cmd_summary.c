/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_summary.c - `sis-analyze summary`: metrics of hosts, then of processes, then of threads. */
#include "commands/table_view.h"
#include "repository/database/pu_leaves.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

static const struct column columns[] = {
	{ "node", "node", CELL_TEXT },	      { "process", "process", CELL_INTEGER },
	{ "thread", "thread", CELL_INTEGER }, { "metric", "metric", CELL_TEXT },
	{ "value", "value", CELL_REAL },      { "min", "min", CELL_REAL },
	{ "mean", "mean", CELL_REAL },	      { "max", "max", CELL_REAL },
};
enum { COLUMNS = sizeof columns / sizeof *columns, IS_TIME = COLUMNS };

static const struct column raw_columns[] = {
	{ "node", "", CELL_TEXT }, { "process", "", CELL_INTEGER }, { "thread", "", CELL_INTEGER },
	{ "metric", "", CELL_TEXT }, { "value", "", CELL_INTEGER }, { "min", "", CELL_INTEGER },
	{ "mean", "", CELL_INTEGER }, { "max", "", CELL_INTEGER }, { "is_time", "", CELL_INTEGER },
};

#define SUMMARIES \
	"SELECT s.id, s.pu, s.calls FROM drg_node n JOIN region_summary s ON s.drg_node = n.id " \
	"WHERE n.experiment = ?1"

/* `v` has each metric of each PU. Its rows are added up by host and by process; each PU also has
 * its own row. */
static const char sql[] =
	"WITH lost AS (SELECT l.pu, a.name AS overhead, sum(l.ns) AS ns FROM temp.pu_leaf l "
	"JOIN overhead_ancestor a ON a.leaf = l.leaf WHERE l.experiment = ?1 "
	"GROUP BY l.pu, a.name), "
	"unit AS ( SELECT u.id, m.host, u.process, u.thread, u.start_ns, u.end_ns, u.useful_ns "
	"FROM processing_unit u JOIN node n ON n.id = u.node "
	"JOIN physical_machine m ON m.id = n.physical_machine WHERE u.experiment = ?1), "
	"v(host, process, thread, place, metric, is_time, value) AS ( "
	"SELECT host, process, thread, 0, 'WTIME', 1, end_ns - start_ns FROM unit UNION ALL "
	"SELECT host, process, thread, 1, 'USEFUL', 1, useful_ns FROM unit UNION ALL "
	"SELECT u.host, u.process, u.thread, 2 + k.place, k.name, 1, coalesce(b.ns, 0) FROM unit u "
	"JOIN overhead_kind k ON k.depth <= 1 AND k.name IN (SELECT overhead FROM lost) "
	"LEFT JOIN lost b ON b.pu = u.id AND b.overhead = k.name UNION ALL "
	"SELECT u.host, u.process, u.thread, 1000, 'CALLS', 0, sum(s.calls) FROM unit u "
	"JOIN (" SUMMARIES ") s ON s.pu = u.id GROUP BY u.id UNION ALL "
	"SELECT u.host, u.process, u.thread, 1001, m.name, m.unit = 'ns', sum(m.value) FROM unit u "
	"JOIN (" SUMMARIES ") s ON s.pu = u.id "
	"JOIN metric_value m ON m.region_summary = s.id AND NOT m.nested GROUP BY u.id, m.name) "
	"SELECT host, NULL, NULL, metric, sum(value), min(value), sum(value) / count(*), "
	"max(value), is_time, 0 AS level, 0 AS p, 0 AS t, place "
	"FROM v "
	"GROUP BY host, metric "
	"UNION ALL "
	"SELECT host, process, NULL, metric, sum(value), min(value), sum(value) / count(*), "
	"max(value), is_time, 1, process, 0, place "
	"FROM v "
	"GROUP BY host, process, metric "
	"UNION ALL "
	"SELECT host, process, thread, metric, value, value, value, value, is_time, 2, process, "
	"thread, place "
	"FROM v "
	"ORDER BY level, host, p, t, place, metric";

static int run_summary(struct context *c, struct err *err)
{
	int64_t id;
	struct table raw, table;
	table_init(&raw, raw_columns, COLUMNS + 1);
	table_init(&table, columns, COLUMNS);
	int rc = context_experiment(c, &id, err);
	rc = rc ? rc : pu_leaves_load(c->repo, id, err);
	rc = rc ? rc : repo_fill(c->repo, &raw, err, sql, "i", id);
	for (size_t r = 0; rc == 0 && r < table_rows(&raw); r++) {
		const struct cell *cell = table_cell(&raw, r, 0);
		for (size_t k = 0; k < COLUMNS; k++)
			if (k >= 4 && cell[IS_TIME].integer && cell[k].kind == CELL_INTEGER)
				table_seconds(&table, cell[k].integer);
			else
				table_copy(&table, &cell[k]);
	}
	rc = rc ? rc : shape_print(c, &table, "summary", err);
	table_release(&raw);
	table_release(&table);
	return rc;
}

const struct command cmd_summary = {
	"summary",
	"[EXP]",
	"Sum up nodes, then processes, then threads",
	"Times are seconds of the processing units, not divided by p. The line of a node or\n"
	"process has the sum over its processing units, and their smallest, mean and largest\n"
	"value.\n"
	"Example: sis-analyze summary --csv",
	options,
	1,
	run_summary,
};
