/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_rows.c - prints the lists of `sis-analyze blame` that other programs read: variables by
 * processing unit, and stacks for flame graphs. Prints overheads of variables, too. One thread. */
#include "commands/blame_lists.h"

#include <stdlib.h>

#include "base/escape.h"
#include "commands/table_view.h"

/* -- variables and processing units ------------------------------------------------------------ */

static const struct column row_columns[] = {
	{ "blame_point", "blame point", CELL_TEXT }, { "variable", "variable", CELL_TEXT },
	{ "type", "type", CELL_TEXT },               { "samples", "samples", CELL_REAL },
	{ "share", "share", CELL_REAL },             { "explicit", "explicit", CELL_REAL },
	{ "implicit", "implicit", CELL_REAL },       { "process", "process", CELL_INTEGER },
	{ "thread", "thread", CELL_INTEGER },        { "node", "node", CELL_TEXT },
	{ "kind", "kind", CELL_TEXT },               { "field_of", NULL, CELL_TEXT },
	{ "file", NULL, CELL_TEXT },                 { "line", NULL, CELL_INTEGER },
	{ "inclusive", NULL, CELL_REAL },            { "partitioned", NULL, CELL_REAL },
	{ "base", NULL, CELL_REAL },              { "blocked", NULL, CELL_REAL },
	{ "weight", NULL, CELL_INTEGER },            { "wait_seconds", NULL, CELL_SECONDS },
	{ "bytes", NULL, CELL_INTEGER },             { "calls", NULL, CELL_RAW },
};

/* Rows of all variables of the chosen points. `All instances` is the sum of the variables that are
 * no fields. A processing unit that waited or moved data for a variable has a row even if it has no
 * samples of the variable. Unless points were chosen, samples that were not placed have rows
 * without a blame point, one row for each reason. ?1 experiment, ?2 all samples, ?3 1: with fields,
 * ?4 1: points were chosen. %1$s: the parts that count. */
static const char rows[] =
	"WITH one AS (SELECT 1.0 * unit AS unit FROM sampling WHERE experiment = ?1), "
	"item AS (SELECT v.blame_point, v.id AS variable, v.field, m.pu, %1$s AS amount, m.parts, "
	"m.explicit, m.implicit, m.base, m.is_blocked * %1$s AS blocked, "
	"m.is_blocked * m.parts AS blocked_parts, m.weight, 0 AS waits, 0 AS bytes "
	"FROM temp.chosen_point p "
	"JOIN variable v ON v.blame_point = p.point JOIN blame m ON m.variable = v.id "
	"UNION ALL SELECT v.blame_point, v.id, v.field, o.pu, 0, 0, 0, 0, 0, 0, 0, 0, "
	"CASE WHEN o.leaf IN (SELECT leaf FROM overhead_ancestor WHERE name = 'OSYNC') "
	"THEN o.ns ELSE 0 END, o.bytes FROM temp.chosen_point p "
	"JOIN variable v ON v.blame_point = p.point "
	"JOIN variable_overhead o ON o.variable = v.id WHERE o.bytes > 0 OR "
	"o.leaf IN (SELECT leaf FROM overhead_ancestor WHERE name = 'OSYNC')), "
	"sums AS (SELECT blame_point, variable, pu, sum(amount) AS amount, sum(parts) AS parts, "
	"sum(explicit) AS explicit, sum(implicit) AS implicit, sum(base) AS base, "
	"sum(blocked) AS blocked, sum(weight) AS weight, sum(waits) AS waits, sum(bytes) AS bytes "
	"FROM item WHERE ?3 OR field = '' GROUP BY blame_point, variable, pu "
	"UNION ALL SELECT blame_point, 0, pu, sum(parts), sum(parts), NULL, NULL, NULL, "
	"sum(blocked_parts), sum(weight), sum(waits), sum(bytes) "
	"FROM item WHERE field = '' GROUP BY blame_point, pu) "
	"SELECT * FROM (SELECT b.path, "
	"CASE WHEN s.variable = 0 THEN 'All instances' WHEN v.field <> '' "
	"THEN v.field ELSE v.name END, coalesce(v.type, ''), s.amount / one.unit, "
	"CASE WHEN ?2 > 0 THEN s.amount / one.unit / ?2 END, s.explicit / one.unit, "
	"s.implicit / one.unit, u.process, u.thread, h.host, "
	"CASE WHEN s.variable = 0 THEN 'all' ELSE v.kind END, "
	"CASE WHEN v.field <> '' THEN v.name END, nullif(v.file, ''), nullif(v.line, 0), "
	"(s.explicit + s.implicit) / one.unit, s.parts / one.unit, s.base / one.unit, "
	"s.blocked / one.unit, s.weight, s.waits, s.bytes, "
	"(SELECT json_group_array(routine) FROM (SELECT DISTINCT routine FROM blame "
	"WHERE variable = s.variable AND pu = s.pu AND routine <> '' ORDER BY routine)) "
	"FROM sums s JOIN one JOIN blame_point b ON b.id = s.blame_point "
	"JOIN processing_unit u ON u.id = s.pu JOIN node d ON d.id = u.node "
	"JOIN physical_machine h ON h.id = d.physical_machine "
	"LEFT JOIN variable v ON v.id = s.variable "
	"ORDER BY b.path <> 'main', b.path, b.id, CASE coalesce(v.kind, '') WHEN '' THEN 3 "
	"WHEN 'other' THEN 2 WHEN 'output' THEN 1 ELSE 0 END, "
	"v.name, v.file, v.line, v.field, s.variable, u.process, u.thread) "
	"UNION ALL SELECT '', text, '', samples, CASE WHEN ?2 > 0 THEN 1.0 * samples / ?2 END, "
	"NULL, NULL, NULL, NULL, NULL, 'unresolved', NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
	"weight, NULL, NULL, NULL FROM sample_share "
	"WHERE experiment = ?1 AND is_reason AND samples > 0 AND NOT ?4";

int blame_print_rows(struct context *c, const struct blame_view *view, struct err *err)
{
	struct table table;
	table_init(&table, row_columns, sizeof row_columns / sizeof *row_columns);
	char *sql = mem_print(rows, view->inclusive ? "(m.explicit + m.implicit)" : "m.parts");
	int rc = repo_fill(c->repo, &table, err, sql, "iiii", view->experiment, view->samples,
			   (int64_t)view->fields, (int64_t)view->chosen);
	free(sql);
	rc = rc ? rc : shape_print(c, &table, "blame", err);
	table_release(&table);
	return rc;
}

/* -- stacks ------------------------------------------------------------------------------------ */

static const struct column stack_columns[] = {
	{ "stack", "stack", CELL_TEXT }, { "samples", "samples", CELL_INTEGER },
};

/* Semicolons in names are replaced, because each would begin a new frame. */
static const char stacks[] =
	"SELECT replace(b.path, '/', ';') || ';' || CASE WHEN v.name = '' THEN v.kind "
	"ELSE replace(v.name, ';', ',') END, "
	"CAST(round(1.0 * sum(m.parts) / s.unit) AS INTEGER) "
	"FROM temp.chosen_point p JOIN blame_point b ON b.id = p.point "
	"JOIN variable v ON v.blame_point = b.id AND v.field = '' "
	"JOIN blame m ON m.variable = v.id JOIN sampling s ON s.experiment = b.experiment "
	"WHERE b.experiment = ?1 GROUP BY b.id, v.id, s.unit "
	"HAVING round(1.0 * sum(m.parts) / s.unit) > 0 ORDER BY b.path, 1";

int blame_print_folded(struct context *c, const struct blame_view *view, struct err *err)
{
	struct table table;
	table_init(&table, stack_columns, 2);
	int rc = repo_fill(c->repo, &table, err, stacks, "i", view->experiment);
	for (size_t r = 0; rc == 0 && r < table_rows(&table); r++)
		escape_line(stdout, "%s %lld", table_cell(&table, r, 0)->text,
			    (long long)table_cell(&table, r, 1)->integer);
	table_release(&table);
	return rc;
}

/* -- overheads --------------------------------------------------------------------------------- */

static const struct column overhead_columns[] = {
	{ "blame_point", "blame point", CELL_TEXT }, { "variable", "variable", CELL_TEXT },
	{ "type", "type", CELL_TEXT },               { "overhead", NULL, CELL_TEXT },
	{ "seconds", "seconds", CELL_SECONDS },      { "share", "share", CELL_SHARE },
	{ "bytes", "bytes", CELL_INTEGER },          { "calls", "calls", CELL_INTEGER },
	{ "routines", "routines", CELL_TEXT },
};

/* The share is the part of the overhead in the whole run. Overhead that belongs to no variable has
 * a line for each routine or construct. ?1 experiment, ?2 overhead, ?3 1: fields. */
static const char overheads[] =
	"WITH whole AS (SELECT sum(o.ns) AS ns FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id JOIN overhead_ancestor a ON a.leaf = o.leaf "
	"WHERE n.experiment = ?1 AND a.name = ?2) "
	"SELECT b.path, CASE WHEN v.field <> '' THEN v.field WHEN v.name = '' THEN v.kind "
	"ELSE v.name END, v.type, ?2, sum(o.ns), "
	"CASE WHEN w.ns > 0 THEN 1.0 * sum(o.ns) / w.ns END, sum(o.bytes), sum(o.calls), "
	"CASE WHEN v.kind = 'other' THEN max(o.routine) ELSE "
	"(SELECT group_concat(routine, ', ') FROM (SELECT DISTINCT r.routine "
	"FROM variable_overhead r JOIN overhead_ancestor l ON l.leaf = r.leaf AND l.name = ?2 "
	"WHERE r.variable = v.id AND r.routine <> '' ORDER BY r.routine)) END "
	"FROM temp.chosen_point p JOIN blame_point b ON b.id = p.point "
	"JOIN variable v ON v.blame_point = b.id AND (?3 OR v.field = '') "
	"JOIN variable_overhead o ON o.variable = v.id "
	"JOIN overhead_ancestor a ON a.leaf = o.leaf AND a.name = ?2 JOIN whole w "
	"GROUP BY v.id, CASE WHEN v.kind = 'other' THEN o.routine END "
	"ORDER BY b.path <> 'main', b.path, sum(o.ns) DESC, v.name, v.field, max(o.routine)";

int blame_print_overhead(struct context *c, const struct blame_view *view, const char *overhead,
			 struct err *err)
{
	struct table table;
	table_init(&table, overhead_columns, sizeof overhead_columns / sizeof *overhead_columns);
	int rc = repo_fill(c->repo, &table, err, overheads, "iti", view->experiment, overhead,
			   (int64_t)view->fields);
	if (rc == 0 && c->format == FORMAT_TEXT && table_rows(&table) == 0)
		printf("The overhead %s is 0 %s.\n", overhead,
		       view->chosen ? "at these blame points" : "in this run");
	else
		rc = rc ? rc : shape_print(c, &table, "blame", err);
	rc = rc ? rc : view_print_warnings(c, view->experiment, WARNING_VARIABLES, err);
	table_release(&table);
	return rc;
}
