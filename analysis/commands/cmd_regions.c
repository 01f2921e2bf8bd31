/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_regions.c - `sis-analyze regions`: times and metrics over the dynamic region call graph. Text
 * has one line for each region, or with --tree for each node, summed over the PUs; --json and --csv
 * have every node and PU. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/option_values.h"
#include "commands/table_view.h"
#include "tables.h"
#include "model/experiment.h"

static const struct cli_option options[] = {
	{ "--type", "TYPE", "only regions of a type, or of a group of types: CR_MPI" },
	{ "--unit", "FUNCTION", "only regions in a function" },
	{ "--metric", "METRIC", "show a further metric, and only regions that have it" },
	{ "--pu", "P.T", "only process P, thread T" },
	{ "--tree", NULL, "draw the call graph" },
	{ "--values", NULL, "show the numbers that the program gave with SIS_VALUE" },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

struct filter {
	char *types;          /* ",CR_A,CR_B," ; NULL: all */
	const char *function, *metric;
	int64_t process, thread; /* -1: all */
};

static int parse_filter(struct filter *f, const struct cli *cli, struct err *err)
{
	*f = (struct filter){ .function = cli_get(cli, "--unit") };
	if (select_metric(cli, "regions", &f->metric, err) ||
	    select_pu(cli, "regions", &f->process, &f->thread, err))
		return ERR_USAGE;
	return select_types(cli, "regions", &f->types, err);
}

/* Rows of view `summary` that pass; ?1 experiment, ?2 types, ?3 function, ?4 metric, ?5 process, ?6
 * thread. */
#define PASSES \
	" s.experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || s.type || ',')) AND (?3 IS NULL " \
	"OR s.unit = ?3)" \
	" AND (?4 IS NULL OR EXISTS (SELECT 1 FROM metric m WHERE m.region_summary = s.id " \
	"AND m.name = upper(?4)))" \
	" AND (?5 < 0 OR (s.process = ?5 AND s.thread = ?6)) "

static int fill(struct context *c, struct table *table, const char *sql, int64_t id,
		const struct filter *f, struct err *err)
{
	return repo_fill(c->repo, table, err, sql, "itttii", id, f->types, f->function, f->metric,
			 f->process, f->thread);
}

/* -- every node and PU ------------------------------------------------------------------------- */

static const struct column row_columns[] = {
	{ "region", NULL, CELL_TEXT },	      { "type", NULL, CELL_TEXT },
	{ "unit", NULL, CELL_TEXT },	      { "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "line_end", NULL, CELL_INTEGER },
	{ "path", NULL, CELL_TEXT },	      { "process", NULL, CELL_INTEGER },
	{ "thread", NULL, CELL_INTEGER },     { "calls", NULL, CELL_INTEGER },
	{ "subs", NULL, CELL_INTEGER },	      { "wtime_incl", NULL, CELL_SECONDS },
	{ "wtime_excl", NULL, CELL_SECONDS }, { "useful", NULL, CELL_SECONDS },
	{ "mint", NULL, CELL_SECONDS },	      { "maxt", NULL, CELL_SECONDS },
	{ "open", NULL, CELL_BOOL },	      { "metrics", NULL, CELL_RAW },
	{ "values", NULL, CELL_RAW },
};

static const char rows[] =
	"SELECT s.region, s.type, s.unit, s.file, s.line_start, s.line_end, s.path, s.process, "
	"s.thread, s.calls, s.subs, s.incl_ns, s.excl_ns, s.useful_ns, s.min_ns, s.max_ns, "
	"s.is_open, "
	"(SELECT json_group_object(m.name, CASE WHEN m.value IS NOT NULL "
	"AND m.unit = 'ns' THEN "
	"json(printf('%d.%09d', m.value / 1000000000, m.value % 1000000000)) ELSE m.value END) "
	"FROM metric_value m WHERE m.region_summary = s.id), "
	"(SELECT "
	"json_group_object(v.name, "
	"json_object('count', v.count, 'sum', v.sum, 'min', v.min, 'max', v.max)) "
	"FROM user_value v WHERE v.region_summary = s.id) "
	"FROM summary s "
	"WHERE" PASSES
	"ORDER BY s.drg_node, s.process, s.thread";

/* -- for people -------------------------------------------------------------------------------- */

static const struct column region_columns[] = {
	{ "region", "region", CELL_TEXT },    { "type", "type", CELL_TEXT },
	{ "place", "place", CELL_TEXT },      { "calls", "calls", CELL_INTEGER },
	{ "incl", "incl [s]", CELL_SECONDS }, { "excl", "excl [s]", CELL_SECONDS },
	{ "metric", "metric", CELL_INTEGER },
};

#define PLACE " CASE WHEN s.line_start THEN s.file || ':' || s.line_start ELSE '-' END,"

/* The time of a nested activation is in its outer one already, so only outer ones count as
 * inclusive time. Each node is summed first, in the order in which its rows are stored; to sum by
 * region at once, the database would sort them. */
static const char regions[] =
	"WITH "
	"s AS (SELECT n.region, sum(m.calls) AS calls, sum(iif(n.nested, 0, m.incl_ns)) AS incl, "
	"sum(m.excl_ns) AS excl, "
	"sum((SELECT v.value FROM metric v "
	"WHERE ?4 IS NOT NULL AND NOT n.nested AND v.region_summary = m.id "
	"AND v.name = upper(?4))) AS metric FROM drg_node n "
	"JOIN region_summary m ON m.drg_node = n.id JOIN region r ON r.id = n.region "
	"WHERE n.experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || r.type || ',')) "
	"AND (?3 IS NULL OR r.unit = ?3) "
	"AND "
	"(?4 IS NULL OR EXISTS "
	"(SELECT 1 FROM metric v WHERE v.region_summary = m.id AND v.name = upper(?4))) "
	"AND (?5 < 0 OR m.pu = "
	"(SELECT id FROM processing_unit WHERE experiment = ?1 AND process = ?5 AND thread = ?6)) "
	"GROUP BY n.id) "
	"SELECT r.name, r.type, CASE WHEN r.line_start THEN r.file || ':' || r.line_start "
	"ELSE '-' END, sum(s.calls), sum(s.incl), sum(s.excl), sum(s.metric) "
	"FROM s "
	"JOIN region r ON r.id = s.region "
	"GROUP BY r.id "
	"ORDER BY sum(s.excl) DESC, r.id";

static const struct column value_columns[] = {
	{ "region", "region", CELL_TEXT }, { "place", "place", CELL_TEXT },
	{ "name", "value", CELL_TEXT },	   { "count", "count", CELL_INTEGER },
	{ "mean", "mean", CELL_REAL },	   { "min", "min", CELL_REAL },
	{ "max", "max", CELL_REAL },	   { "sum", "sum", CELL_REAL },
};

static const char values[] =
	"SELECT s.region," PLACE " v.name, sum(v.count), sum(v.sum) / sum(v.count), min(v.min), "
	"max(v.max), sum(v.sum) "
	"FROM summary s "
	"JOIN user_value v ON v.region_summary = s.id "
	"WHERE" PASSES
	"GROUP BY s.region_id, v.name "
	"ORDER BY v.name, s.region_id";

/* `ORDER BY` in the recursion makes it depth first, the order in which a tree is drawn. */
static const char tree[] =
	"WITH RECURSIVE line(id, level) AS ( SELECT id, 0 FROM drg_node "
	"WHERE experiment = ?1 AND parent IS NULL UNION ALL SELECT n.id, l.level + 1 FROM line l "
	"JOIN drg_node n ON n.parent = l.id ORDER BY 2 DESC, 1), "
	"placed AS (SELECT id, row_number() OVER () AS place FROM line) "
	"SELECT printf('%*s', 2 * min(s.depth, 40), '') || s.region, "
	"s.type," PLACE " sum(s.calls), sum(s.incl_ns), sum(s.excl_ns), sum(m.value) "
	"FROM summary s "
	"JOIN placed l ON l.id = s.drg_node "
	"LEFT JOIN metric m ON m.region_summary = s.id AND m.name = upper(?4) "
	"WHERE" PASSES
	"GROUP BY s.drg_node "
	"ORDER BY l.place";

struct question { const char *sql; const struct column *column; size_t columns; };

#define COLUMNS(of) of, sizeof of / sizeof *of

/* `shown` has room for the columns of regions; the last one is that of the metric, if one is
 * selected. */
static struct question ask(const struct context *c, const struct filter *f, struct column *shown)
{
	if (cli_get(&c->cli, "--values"))
		return (struct question){ values, COLUMNS(value_columns) };
	if (c->format != FORMAT_TEXT)
		return (struct question){ rows, COLUMNS(row_columns) };
	size_t columns = sizeof region_columns / sizeof *region_columns - (f->metric ? 0 : 1);
	memcpy(shown, region_columns, sizeof region_columns);
	if (f->metric) {
		enum sis_metric metric = sis_metric_by_name(f->metric, strlen(f->metric));
		shown[columns - 1].kind = metric && sis_metric_table[metric].unit == SIS_UNIT_NS ?
			CELL_SECONDS :
			CELL_INTEGER;
		shown[columns - 1].title = f->metric;
	}
	return (struct question){ cli_get(&c->cli, "--tree") ? tree : regions, shown, columns };
}

/* Says that times and counts are estimates or missing. */
static int print_estimates(struct context *c, int64_t id, struct err *err)
{
	static const enum warning_kind kinds[] = { WARNING_SAMPLED, WARNING_COUNTS, WARNING_LOST };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof kinds / sizeof *kinds; i++)
		rc = view_print_warnings(c, id, kinds[i], err);
	return rc;
}

/* Explains an empty table. */
static int print_regions(struct context *c, struct table *table, struct err *err)
{
	if (c->format != FORMAT_TEXT || table_rows(table))
		return shape_print(c, table, "regions", err);
	if (cli_get(&c->cli, "--values"))
		puts("No numbers: the program gave none with SIS_VALUE in these regions.");
	else
		puts("No region passes --type, --unit, --metric and --pu; `sis-analyze regions` "
		     "without them shows what was measured.");
	return 0;
}

static int run(struct context *c, struct err *err)
{
	int64_t id;
	struct filter f;
	struct table table;
	struct column shown[sizeof region_columns / sizeof *region_columns];
	if (cli_get(&c->cli, "--tree") && cli_get(&c->cli, "--sort"))
		return err_usage(err, "regions: --tree and --sort at once; a tree has its order: "
				 "leave one out");
	if (parse_filter(&f, &c->cli, err))
		return ERR_USAGE;
	struct question q = ask(c, &f, shown);
	table_init(&table, q.column, q.columns);
	int rc = context_experiment(c, &id, err);
	rc = rc ? rc : fill(c, &table, q.sql, id, &f, err);
	rc = rc ? rc : print_regions(c, &table, err);
	rc = rc ? rc : print_estimates(c, id, err);
	table_release(&table);
	free(f.types);
	return rc;
}

const struct command cmd_regions = {
	"regions",
	"[EXP] [--type T] [--unit U] [--metric M] [--pu P.T] [--tree] [--values]",
	"Show times and metrics of code regions",
	"Inclusive time includes what a region calls, exclusive time does not. Values are sums\n"
	"over processes and threads; --json and --csv give every node of the call graph for\n"
	"every process and thread.\n"
	"Example: sis-analyze regions --type CR_MPI --sort calls --top 10",
	options,
	1,
	run,
};
