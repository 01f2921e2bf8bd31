/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_regions.c - see interval_regions.h. The trace gives the times, statements the rest. */
#include "commands/interval_regions.h"

#include "commands/table_view.h"
#include "query/call_tree.h"
#include "query/interval_rows.h"

/* ?1 experiment, ?2 types, ?3 function. The root is in no list: its time is that of the unit. */
#define ROWS \
	" FROM temp.interval_summary s " \
	"JOIN drg_node n ON n.id = s.drg_node " \
	"JOIN region r ON r.id = n.region " \
	"JOIN processing_unit u ON u.id = s.pu "
#define PASSES \
	" WHERE n.experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || r.type || ',')) " \
	"AND (?3 IS NULL OR r.unit = ?3) AND s.pu IN (SELECT pu FROM temp.chosen_pu) "
#define PLACE " CASE WHEN r.line_start THEN r.file || ':' || r.line_start ELSE '-' END,"

static const struct column row_columns[] = {
	{ "region", NULL, CELL_TEXT },	      { "type", NULL, CELL_TEXT },
	{ "unit", NULL, CELL_TEXT },	      { "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "line_end", NULL, CELL_INTEGER },
	{ "path", NULL, CELL_TEXT },	      { "process", NULL, CELL_INTEGER },
	{ "thread", NULL, CELL_INTEGER },     { "calls", NULL, CELL_INTEGER },
	{ "subs", NULL, CELL_INTEGER },	      { "wtime_incl", NULL, CELL_SECONDS },
	{ "wtime_excl", NULL, CELL_SECONDS },
};
static const char rows[] =
	"SELECT r.name, r.type, r.unit, r.file, r.line_start, r.line_end, n.path, u.process, "
	"u.thread, s.calls, s.subs, s.incl_ns, s.excl_ns" ROWS PASSES
	"ORDER BY s.drg_node, u.process, u.thread";

static const struct column region_columns[] = {
	{ "region", "region", CELL_TEXT },    { "type", "type", CELL_TEXT },
	{ "place", "place", CELL_TEXT },      { "calls", "calls", CELL_INTEGER },
	{ "incl", "incl [s]", CELL_SECONDS }, { "excl", "excl [s]", CELL_SECONDS },
};
/* The time of a nested activation is in its outer one already. */
static const char regions[] =
	"SELECT r.name, r.type," PLACE " sum(s.calls), sum(iif(n.nested, 0, s.incl_ns)), "
	"sum(s.excl_ns)" ROWS PASSES
	"GROUP BY r.id "
	"ORDER BY sum(s.excl_ns) DESC, r.id";
static const char tree[] =
	CALL_TREE
	"SELECT " CALL_TREE_NAME("n.depth", "r.name") ", r.type," PLACE " sum(s.calls), "
	"sum(s.incl_ns), sum(s.excl_ns)" ROWS
	"JOIN placed l ON l.id = s.drg_node" PASSES
	"GROUP BY s.drg_node "
	"ORDER BY l.place";

static void print_gaps(const struct interval_gaps *gaps)
{
	if (gaps->ns)
		printf("\nNot known: %.6f s of %zu processing units, for which the trace has no "
		       "events there.\n", (double)gaps->ns / 1e9, gaps->units);
}

int interval_regions_print(struct context *c, int64_t experiment,
			   const struct interval_question *q, struct err *err)
{
	struct table table;
	struct interval_gaps gaps;
	bool is_text = c->format == FORMAT_TEXT;
	if (is_text)
		table_init(&table, region_columns, sizeof region_columns / sizeof *region_columns);
	else
		table_init(&table, row_columns, sizeof row_columns / sizeof *row_columns);
	int rc = interval_rows_load(c->repo, experiment, q->from_ns, q->to_ns, "regions", &gaps,
				    err);
	rc = rc ? rc : repo_fill(c->repo, &table, err,
				 !is_text    ? rows :
				 q->is_tree  ? tree :
					       regions, "itt", experiment, q->types, q->function);
	if (rc == 0 && is_text && !table_rows(&table))
		puts("Nothing passes the options in this interval.");
	else
		rc = rc ? rc : shape_print(c, &table, "regions", err);
	if (rc == 0 && is_text)
		print_gaps(&gaps);
	table_release(&table);
	return rc;
}
