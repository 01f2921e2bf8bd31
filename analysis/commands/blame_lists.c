/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_lists.c - see blame_lists.h. One thread. A sample has sampling.unit parts, and the
 * statements count parts. Columns of samples are parts divided by this unit, so they may have
 * fractions. */
#include "commands/blame_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/ratio.h"
#include "commands/table_view.h"

/* The number of parts of a sample; ?1 experiment. */
#define UNIT "(SELECT 1.0 * unit FROM sampling WHERE experiment = ?1)"
/* SQL: the parts of samples that count for a row, inclusive or partitioned. */
static const char *amount_of(const struct blame_view *view)
{
	return view->inclusive ? "(m.explicit + m.implicit)" : "m.parts";
}

/* -- variables of a point, as text ------------------------------------------------------------- */

enum { SHOWN_VARIABLE, SHOWN_TYPE, SHOWN_UNIT, SHOWN_SAMPLES, SHOWN_SHARE, SHOWN_EXPLICIT,
       SHOWN_IMPLICIT, SHOWN_BLOCKED, SHOWN_BASE, SHOWN_MEAN, SHOWN_DEVIATION, SHOWN_FACTOR,
       SHOWN_WAITS, SHOWN_BYTES, SHOWN_CALLS, SHOWN_COLUMNS };
static const struct column shown_columns[SHOWN_COLUMNS] = {
	[SHOWN_VARIABLE] = { "variable", "variable", CELL_TEXT },
	[SHOWN_TYPE] = { "type", "type", CELL_TEXT },
	[SHOWN_UNIT] = { "unit", "of", CELL_TEXT },
	[SHOWN_SAMPLES] = { "samples", "samples", CELL_REAL },
	[SHOWN_SHARE] = { "share", "share", CELL_SHARE },
	[SHOWN_EXPLICIT] = { "explicit", "explicit", CELL_REAL },
	[SHOWN_IMPLICIT] = { "implicit", "implicit", CELL_REAL },
	[SHOWN_BLOCKED] = { "blocked", "blocked", CELL_REAL },
	[SHOWN_BASE] = { "base", "data-centric", CELL_REAL },
	[SHOWN_MEAN] = { "mean", "mean", CELL_REAL },
	[SHOWN_DEVIATION] = { "deviation", "deviation", CELL_REAL },
	[SHOWN_FACTOR] = { "imbalance", "max/mean", CELL_FACTOR },
	[SHOWN_WAITS] = { "wait_seconds", "waits [s]", CELL_SECONDS },
	[SHOWN_BYTES] = { "bytes", "bytes", CELL_INTEGER },
	[SHOWN_CALLS] = { "calls", "MPI calls", CELL_TEXT },
};

/* Sums of a point by variable and unit. Variable 0 is the sum of the point. A unit that waited or
 * moved data for a variable has a row even if it has no samples of the variable. ?1 experiment, ?2
 * point, ?3 whether fields are shown. %1$s: the parts that count. */
#define BY_UNIT \
	"WITH part AS (SELECT v.id AS variable, v.field, u.unit, u.name AS unit_name, " \
	"%1$s AS amount, m.parts, m.explicit, m.implicit, m.base, m.is_blocked " \
	"FROM variable v JOIN blame m ON m.variable = v.id " \
	"JOIN temp.blame_unit u ON u.pu = m.pu WHERE v.blame_point = ?2), " \
	"measured AS (SELECT v.id AS variable, v.field, u.unit, u.name AS unit_name, " \
	"CASE WHEN o.leaf IN (SELECT leaf FROM overhead_ancestor WHERE name = 'OSYNC') " \
	"THEN o.ns END AS waits, o.bytes FROM variable v " \
	"JOIN variable_overhead o ON o.variable = v.id " \
	"JOIN temp.blame_unit u ON u.pu = o.pu WHERE v.blame_point = ?2 AND (o.bytes > 0 OR " \
	"o.leaf IN (SELECT leaf FROM overhead_ancestor WHERE name = 'OSYNC'))), " \
	"by_unit AS (SELECT variable, unit, unit_name, sum(amount) AS amount, " \
	"sum(explicit) AS explicit, sum(implicit) AS implicit, sum(base) AS base, " \
	"sum(is_blocked * amount) AS blocked, NULL AS waits, NULL AS bytes " \
	"FROM part WHERE ?3 OR field = '' GROUP BY variable, unit, unit_name " \
	"UNION ALL SELECT 0, unit, unit_name, sum(parts), NULL, NULL, NULL, " \
	"sum(is_blocked * parts), NULL, NULL FROM part WHERE field = '' " \
	"GROUP BY unit, unit_name " \
	"UNION ALL SELECT variable, unit, unit_name, 0, 0, 0, 0, 0, sum(waits), " \
	"sum(bytes) FROM measured WHERE ?3 OR field = '' " \
	"GROUP BY variable, unit, unit_name " \
	"UNION ALL SELECT 0, unit, unit_name, 0, NULL, NULL, NULL, NULL, sum(waits), " \
	"sum(bytes) FROM measured WHERE field = '' GROUP BY unit, unit_name), "
/* ?4 all samples, ?5 units, ?6 1: a line for each unit. */
#define LINES \
	"line AS (SELECT variable, CASE WHEN ?6 THEN unit END AS unit, " \
	"CASE WHEN ?6 THEN unit_name END AS unit_name, " \
	"sum(amount) AS amount, sum(explicit) AS explicit, sum(implicit) AS implicit, " \
	"sum(base) AS base, sum(blocked) AS blocked, sum(waits) AS waits, " \
	"sum(bytes) AS bytes, max(amount) AS most, " \
	"sum(1.0 * amount * amount) AS squares FROM by_unit " \
	"GROUP BY variable, CASE WHEN ?6 THEN unit END, CASE WHEN ?6 THEN unit_name END), " \
	"placed AS (SELECT l.*, v.kind, v.name, v.field, v.type, " \
	"CASE coalesce(v.kind, '') WHEN '' THEN 3 WHEN 'other' THEN 2 WHEN 'output' THEN 1 " \
	"ELSE 0 END AS place, " \
	"sum(CASE WHEN v.field = '' THEN l.amount END) OVER " \
	"(PARTITION BY v.kind, v.name, v.file, v.line) AS whole, " \
	"sum(CASE WHEN v.field = '' THEN coalesce(l.waits, 0) + coalesce(l.bytes, 0) END) OVER " \
	"(PARTITION BY v.kind, v.name, v.file, v.line) AS measured, " \
	"1.0 * ?5 AS n, " UNIT " AS one " \
	"FROM line l LEFT JOIN variable v ON v.id = l.variable) "

static const char variables[] =
	BY_UNIT LINES
	"SELECT CASE WHEN variable = 0 THEN 'All instances' WHEN field <> '' THEN '  ' || field "
	"ELSE name END, coalesce(type, ''), unit_name, round(amount / one, 1), "
	"CASE WHEN ?4 > 0 THEN amount / one / ?4 END, round(explicit / one, 1), "
	"round(implicit / one, 1), "
	"round(blocked / one, 1), round(base / one, 1), round(amount / one / n, 1), "
	"round(sqrt(max(0, squares / n - (amount / n) * (amount / n))) / one, 1), "
	"CASE WHEN amount > 0 THEN most * n / amount END, "
	"waits, bytes, coalesce((SELECT group_concat(routine, ', ') FROM (SELECT DISTINCT routine "
	"FROM blame WHERE variable = placed.variable AND routine LIKE 'MPI%%' AND (NOT ?6 OR "
	"pu IN (SELECT pu FROM temp.blame_unit u WHERE u.unit = placed.unit)) "
	"ORDER BY routine)), '') "
	"FROM placed WHERE place > 0 OR measured > 0 OR 1000.0 * whole >= one * ?4 "
	"ORDER BY place, whole DESC, name, field <> '', amount DESC, field, unit_name";

/* Prints the table without columns that tell nothing. */
static int print_table(struct context *c, const struct blame_view *view, struct table *table,
		       struct err *err)
{
	struct column column[SHOWN_COLUMNS];
	bool spread = !view->by_unit && view->units > 1;
	memcpy(column, shown_columns, sizeof column);
	for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
		bool of_spread = i >= SHOWN_MEAN && i <= SHOWN_FACTOR;
		bool may_lack = i == SHOWN_BLOCKED || i >= SHOWN_WAITS;
		if ((i == SHOWN_UNIT && !view->by_unit) || (of_spread && !spread) ||
		    (may_lack && !table_has_value(table, i)))
			column[i].title = NULL;
	}
	table->column = column;
	int rc = shape_print(c, table, "blame", err);
	table->column = shown_columns;
	return rc;
}

/* Prints how much is too small to be shown: variables with less than a thousandth of the samples
 * and without waits and transfers. */
static int print_smaller(struct context *c, const struct blame_view *view, int64_t point,
			 struct err *err)
{
	int64_t n = 0;
	char *sql = mem_print("SELECT count(*) FROM (SELECT v.id FROM variable v "
			      "JOIN blame m ON m.variable = v.id WHERE v.blame_point = ?2 "
			      "AND v.field = '' AND v.kind NOT IN ('output', 'other') "
			      "AND NOT EXISTS (SELECT 1 FROM variable_overhead o "
			      "WHERE o.variable = v.id AND (o.bytes > 0 OR (o.ns > 0 AND o.leaf IN "
			      "(SELECT leaf FROM overhead_ancestor WHERE name = 'OSYNC')))) "
			      "GROUP BY v.id HAVING 1000.0 * sum(%s) < " UNIT " * ?3)",
			      amount_of(view));
	int rc = repo_number(c->repo, &n, err, sql, "iii", view->experiment, point, view->samples);
	free(sql);
	if (rc == 1 && n > 0)
		printf("%lld variable%s with less than 0.1 %% %s not shown; --json has all.\n",
		       (long long)n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
	return rc < 0 ? ERR_FAILED : 0;
}

static int print_point(struct context *c, const struct blame_view *view, const struct cell *row,
		       struct err *err)
{
	struct table table;
	char share[RATIO_ROOM];
	printf("\n");
	for (const char *at = row[1].text, *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "/");
		escape_print(stdout, "%s%.*s", at == row[1].text ? "" : " > ", (int)(end - at), at);
	}
	printf(": %lld samples, %s%s\n", (long long)row[2].integer,
	       ratio_share(share, row[3].real),
	       row[4].integer ? "; its callers are not known" : "");
	table_init(&table, shown_columns, SHOWN_COLUMNS);
	char *sql = mem_print(variables, amount_of(view));
	int rc = repo_fill(c->repo, &table, err, sql, "iiiiii", view->experiment, row[0].integer,
			   (int64_t)view->fields, view->samples, view->units,
			   (int64_t)view->by_unit);
	free(sql);
	rc = rc ? rc : print_table(c, view, &table, err);
	rc = rc ? rc : print_smaller(c, view, row[0].integer, err);
	table_release(&table);
	return rc;
}

/* -- the page ---------------------------------------------------------------------------------- */

static const struct column point_columns[] = {
	{ "point", NULL, CELL_INTEGER }, { "path", NULL, CELL_TEXT },
	{ "samples", NULL, CELL_INTEGER }, { "share", NULL, CELL_REAL },
	{ "is_cut", NULL, CELL_INTEGER },
};

/* The points to print. A point without samples is printed only if it alone was chosen, because it
 * may have measured times. */
static const char chosen_points[] =
	"SELECT b.id, b.path, b.samples, p.share, b.is_cut FROM blame_point b "
	"JOIN temp.chosen_point p ON p.point = b.id "
	"WHERE b.samples > 0 OR (SELECT count(*) FROM temp.chosen_point) = 1 "
	"ORDER BY CASE WHEN b.path = 'main' OR b.path LIKE 'main/%' THEN 0 ELSE 1 END, b.path";

static const struct column text_column[] = { { "text", "", CELL_TEXT } };

static int print_lines(struct context *c, const struct blame_view *view, const char *sql,
		       struct err *err)
{
	struct table table;
	table_init(&table, text_column, 1);
	int rc = repo_fill(c->repo, &table, err, sql, "i", view->experiment);
	for (size_t r = 0; rc == 0 && r < table_rows(&table); r++)
		escape_line(stdout, "%s", table_cell(&table, r, 0)->text);
	table_release(&table);
	return rc;
}

static const char heading[] =
	"SELECT e.name || ': ' || s.samples || ' samples (' || "
	"CASE WHEN s.method = '' THEN '' ELSE s.method || ', ' END || "
	"CASE WHEN s.metric IN ('', 'WTIME') THEN s.rate || ' per second' "
	"ELSE 'every ' || s.rate || ' ' || s.metric END || ')' || "
	"CASE WHEN s.lost > 0 THEN ', ' || s.lost || ' lost' ELSE '' END "
	"FROM experiment e JOIN sampling s ON s.experiment = e.id WHERE e.id = ?1";

/* Lines of text: how many samples were placed in which way, and what the analysis does not know. */
static const char placed[] =
	"SELECT '  ' || substr(printf('%6.1f', 100.0 * h.samples / max(1, s.samples)), -6) || "
	"' %  ' || CASE WHEN h.is_reason THEN '  because: ' ELSE '' END || h.text "
	"FROM sample_share h JOIN sampling s ON s.experiment = h.experiment "
	"WHERE h.experiment = ?1 ORDER BY h.is_reason, h.place";
static const char doubts[] =
	"SELECT s.unknown || ' samples are in routines that are in no table; their effects "
	"are guessed (--routines of sis-analyze import adds rows).' FROM sampling s "
	"WHERE s.experiment = ?1 AND s.unknown > 0 UNION ALL "
	"SELECT s.coarse || ' functions have so much memory that parts of it are one.' "
	"FROM sampling s WHERE s.experiment = ?1 AND s.coarse > 0";

int blame_print_page(struct context *c, const struct blame_view *view, struct err *err)
{
	struct table points;
	table_init(&points, point_columns, sizeof point_columns / sizeof *point_columns);
	int rc = print_lines(c, view, heading, err);
	rc = rc ? rc : repo_fill(c->repo, &points, err, chosen_points, "");
	if (rc == 0)
		puts(view->inclusive ?
		     "Inclusive: a sample counts for all variables that its work reaches, so lines "
		     "of a\nblame point add up to more than its samples." :
		     "Partitioned: a sample is divided among the nearest variables that its work "
		     "reaches.\nThe lines of a blame point add up to its samples. Explicit and "
		     "implicit are inclusive.");
	for (size_t r = 0; rc == 0 && r < table_rows(&points); r++)
		rc = print_point(c, view, table_cell(&points, r, 0), err);
	if (rc == 0 && view->left_out > 0)
		printf("\n%lld more blame points have less than 1 %% of the samples; --share 0 "
		       "shows all.\n", (long long)view->left_out);
	if (rc == 0) {
		puts("\nFunctions, of the same samples");
		rc = blame_print_functions(c, view, 10, err);
	}
	if (rc == 0) {
		puts("\nSamples were placed at");
		rc = print_lines(c, view, placed, err);
	}
	rc = rc ? rc : print_lines(c, view, doubts, err);
	rc = rc ? rc : view_print_warnings(c, view->experiment, WARNING_VARIABLES, err);
	table_release(&points);
	return rc;
}

/* -- functions --------------------------------------------------------------------------------- */

static const struct column function_columns[] = {
	{ "function", "function", CELL_TEXT }, { "place", "place", CELL_TEXT },
	{ "samples", "samples", CELL_INTEGER }, { "share", "share", CELL_SHARE },
	{ "inclusive", "inclusive", CELL_INTEGER }, { "inclusive_share", "share", CELL_SHARE },
};

/* ?1 experiment, ?2 all samples, ?3 number of lines. */
static const char functions[] =
	"SELECT function, CASE WHEN file = '' THEN '-' ELSE file || ':' || line END, sum(own), "
	"CASE WHEN ?2 > 0 THEN 1.0 * sum(own) / ?2 END, sum(inclusive), "
	"CASE WHEN ?2 > 0 THEN 1.0 * sum(inclusive) / ?2 END "
	"FROM function_samples WHERE experiment = ?1 GROUP BY function, file, line "
	"ORDER BY sum(own) DESC, sum(inclusive) DESC, function LIMIT ?3";

int blame_print_functions(struct context *c, const struct blame_view *view, int64_t most,
			  struct err *err)
{
	struct table table;
	table_init(&table, function_columns, sizeof function_columns / sizeof *function_columns);
	int rc = repo_fill(c->repo, &table, err, functions, "iii", view->experiment, view->samples,
			   most ? most : -1);
	if (rc == 0 && most)
		view_print(c, &table);
	else if (rc == 0)
		rc = shape_print(c, &table, "blame", err);
	table_release(&table);
	return rc;
}
