/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_regions.c - `sis-analyze regions`: times and metrics over the dynamic region call graph. Text
 * has one line for each region, or with --tree for each node, summed over the PUs; --json and --csv
 * have every node and PU. Statements give the times; metrics are looked up for each of their
 * rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clamp.h"
#include "commands/command.h"
#include "commands/interval_regions.h"
#include "commands/option_values.h"
#include "commands/table_view.h"
#include "query/call_paths.h"
#include "query/call_tree.h"
#include "query/off_inside.h"
#include "query/probe_costs.h"
#include "query/switched_off.h"

static const struct cli_option options[] = {
	{ "--type", "TYPE", "only regions of a type, or of a group of types: CR_MPI" },
	{ "--unit", "FUNCTION", "only regions in a function" },
	{ "--metric", "METRIC,...",
	  "show these metrics and overheads, and only regions where one was measured" },
	{ "--pu", "P.T", "only process P, thread T; P: all threads of it; *.T; P.T,P.T" },
	INTERVAL_OPTIONS,
	{ "--tree", NULL, "draw the call graph" },
	{ "--values", NULL, "show the numbers that the program gave with SIS_VALUE" },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

struct filter {
	char *types;              /* ",CR_A,CR_B," ; NULL: all */
	const char *function;
	pu_patterns pus;
	struct measures measures; /* of the metrics to show */
	bool only_measured;       /* leave out regions where none of them was requested */
	struct probe_costs probes;
	struct probe_costs of_nodes; /* only if there are rows for callers (load_wrapped) */
};

/* All regions have times and overheads. So regions are left out only if --metric names others. */
static int parse_filter(struct filter *f, const struct cli *cli, struct err *err)
{
	*f = (struct filter){ .function = cli_get(cli, "--unit"),
			      .only_measured = cli_get(cli, "--metric") };
	int rc = select_metrics(cli, "regions", &f->measures, err);
	rc = rc ? rc : select_pus(cli, "regions", &f->pus, err);
	rc = rc ? rc : select_types(cli, "regions", &f->types, err);
	for (size_t v = 0; v < f->measures.variable.n; v++)
		f->only_measured &= measure_is_requested(&f->measures, v);
	return rc;
}

static void release_filter(struct filter *f)
{
	free(f->types);
	vec_free(&f->pus);
	measures_release(&f->measures);
	probe_costs_release(&f->probes);
	probe_costs_release(&f->of_nodes);
}

/* Rows of view `summary` that pass; ?1 experiment, ?2 types, ?3 function. */
#define PASSES \
	" s.experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || s.type || ',')) AND (?3 IS NULL " \
	"OR s.unit = ?3) AND s.pu IN (SELECT pu FROM temp.chosen_pu) "

/* -- rows with their metrics ------------------------------------------------------------------- */

/* Rows of a statement begin with the item and the processing unit of their metrics, which the table
 * does not show. `raw`: the column of a JSON object that gets the metrics; 0: each metric is a
 * column after the others. `columns`: those of the statement; `incl`: the one of inclusive times,
 * and exclusive ones follow; 0: there are none. */
struct filling { struct table *table; const struct filter *f; size_t raw, columns, incl; };
enum { ITEM, PU, SHOWN };

static void add_value(struct table *table, const struct measures *m, size_t v, double value)
{
	if (isnan(value))
		table_null(table);
	else if (measure_is_time(m, v))
		table_seconds(table, clamp_round(value * 1e9));
	else
		table_integer(table, clamp_round(value));
}

/* Completes the JSON object, which has the metrics that were requested for the region. Adds the
 * other variables: overheads, and metrics that are columns of a summary. */
static char *add_members(const char *object, const struct measures *m, const double *value)
{
	struct buf text = { 0 };
	buf_print(&text, "%.*s", *object ? (int)strlen(object) - 1 : 0, object);
	for (size_t v = 0; v < m->variable.n; v++) {
		if (measure_is_requested(m, v))
			continue;
		buf_print(&text, "%s\"%s\":", text.length > 1 ? "," : "", m->variable.at[v]);
		if (isnan(value[v]))
			buf_print(&text, "null");
		else
			buf_print(&text, measure_is_time(m, v) ? "%.9f" : "%.0f", value[v]);
	}
	buf_print(&text, "}");
	return buf_take(&text);
}

/* The times of a row without probes. */
static void add_times(struct filling *to, const struct cell *row)
{
	const struct cell *time = &row[SHOWN + to->incl];
	struct probe_cost cost =
		probe_costs_at(&to->f->probes, row[ITEM].integer, row[PU].integer);
	int64_t incl = clamp_subtract(time[0].integer, cost.all_ns);
	/* the units that were not there themselves have no times, and costs below */
	table_seconds(to->table, time[0].integer ? incl : 0);
	table_seconds(to->table, clamp_subtract(time[1].integer, cost.own_ns));
}

static int take_row(void *arg, const struct cell *row, struct err *err)
{
	struct filling *to = arg;
	const struct measures *m = &to->f->measures;
	const struct measure_row *values = measures_row(m, row[ITEM].integer, row[PU].integer);
	(void)err;
	if (to->f->only_measured && (!values || !values->measured))
		return 0;
	for (size_t i = 0; i < to->columns; i++) {
		const struct cell *cell = &row[SHOWN + i];
		char *object = to->raw && i == to->raw && values ?
			add_members(cell->text, m, values->value) :
			NULL;
		if (object)
			table_text(to->table, object);
		else
			table_copy(to->table, cell);
		free(object);
	}
	if (to->incl)
		add_times(to, row);
	for (size_t v = 0; !to->raw && v < m->variable.n; v++)
		add_value(to->table, m, v, values ? values->value[v] : NAN);
	return 0;
}

/* -- every node and PU ------------------------------------------------------------------------- */

enum { ROW_INCL = 11, METRICS = 19 };
static const struct column row_columns[] = {
	{ "region", NULL, CELL_TEXT },	      { "type", NULL, CELL_TEXT },
	{ "unit", NULL, CELL_TEXT },	      { "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "line_end", NULL, CELL_INTEGER },
	{ "path", NULL, CELL_TEXT },	      { "process", NULL, CELL_INTEGER },
	{ "thread", NULL, CELL_INTEGER },     { "calls", NULL, CELL_INTEGER },
	{ "subs", NULL, CELL_INTEGER },	      { "wtime_incl", NULL, CELL_SECONDS },
	{ "wtime_excl", NULL, CELL_SECONDS }, { "error", NULL, CELL_SECONDS },
	{ "error_excl", NULL, CELL_SECONDS }, { "useful", NULL, CELL_SECONDS },
	{ "mint", NULL, CELL_SECONDS },	      { "maxt", NULL, CELL_SECONDS },
	{ "open", NULL, CELL_BOOL },	      { "metrics", NULL, CELL_RAW },
	{ "values", NULL, CELL_RAW },	      { "includes_off", NULL, CELL_RAW },
	{ "switched_off", NULL, CELL_RAW },
	{ "wtime_incl_without_probes", NULL, CELL_SECONDS },
	{ "wtime_excl_without_probes", NULL, CELL_SECONDS },
};

#define ROWS \
	"SELECT s.drg_node, s.pu, s.region, s.type, s.unit, s.file, s.line_start, s.line_end, " \
	"s.path, s.process, " \
	"s.thread, s.calls, s.subs, s.incl_ns, s.excl_ns, coalesce(e.incl_error_ns, 0), " \
	"coalesce(e.excl_error_ns, 0), s.useful_ns, s.min_ns, s.max_ns, " \
	"s.is_open, " \
	"(SELECT json_group_object(m.name, CASE WHEN m.value IS NOT NULL " \
	"AND m.unit = 'ns' THEN " \
	"json(printf('%d.%09d', m.value / 1000000000, m.value % 1000000000)) ELSE m.value END) " \
	"FROM metric_value m WHERE m.region_summary = s.id), " \
	"(SELECT " \
	"json_group_object(v.name, " \
	"json_object('count', v.count, 'sum', v.sum, 'min', v.min, 'max', v.max)) " \
	"FROM user_value v WHERE v.region_summary = s.id), " \
	OFF_INSIDE_JSON(OFF_INSIDE_NODE("s.drg_node")) ", " \
	SWITCHED_OFF_JSON("s.region_id", "s.type", "s.process", "s.thread") " " \
	"FROM summary s " \
	"LEFT JOIN estimate e ON e.drg_node = s.drg_node AND e.pu = s.pu " \
	"WHERE" PASSES
#define ROW_ORDER "ORDER BY 1, 10, 11"
static const char rows[] = ROWS ROW_ORDER;

/* The same, and a row for each processing unit that has some of the overheads ?4 in a node, or
 * below it, and was not in the node itself: it was idle while the initial thread was there, or a
 * member of a team that was forked there. */
static const char rows_with_idle[] =
	"WITH RECURSIVE idle(node, pu) AS ("
	"SELECT o.drg_node, o.pu FROM drg_node n JOIN overhead o ON o.drg_node = n.id "
	"WHERE n.experiment = ?1 AND o.pu IN (SELECT pu FROM temp.chosen_pu) AND o.ns <> 0 "
	"AND o.leaf IN (SELECT leaf FROM overhead_ancestor WHERE instr(?4, ',' || name || ',')) "
	"AND NOT EXISTS "
	"(SELECT 1 FROM region_summary r WHERE r.drg_node = o.drg_node AND r.pu = o.pu) "
	"UNION SELECT n.parent, i.pu FROM idle i JOIN drg_node n ON n.id = i.node "
	"WHERE n.parent IS NOT NULL) "
	ROWS "UNION ALL "
	"SELECT n.id, u.id, r.name, r.type, r.unit, r.file, r.line_start, r.line_end, n.path, "
	"u.process, u.thread, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, '{}', '{}', "
	OFF_INSIDE_JSON(OFF_INSIDE_NODE("n.id")) ", "
	SWITCHED_OFF_JSON("n.region", "r.type", "u.process", "u.thread") " "
	"FROM idle i JOIN drg_node n ON n.id = i.node JOIN region r ON r.id = n.region "
	"JOIN processing_unit u ON u.id = i.pu "
	"WHERE (?2 IS NULL OR instr(?2, ',' || r.type || ',')) AND (?3 IS NULL OR r.unit = ?3) "
	"AND NOT EXISTS (SELECT 1 FROM region_summary s WHERE s.drg_node = n.id AND s.pu = u.id) "
	ROW_ORDER;

/* -- for people -------------------------------------------------------------------------------- */

static const struct column region_columns[] = {
	{ "region", "region", CELL_TEXT },    { "type", "type", CELL_TEXT },
	{ "place", "place", CELL_TEXT },      { "calls", "calls", CELL_INTEGER },
	{ "incl", "incl [s]", CELL_SECONDS }, { "excl", "excl [s]", CELL_SECONDS },
	{ "error", "error [s]", CELL_SECONDS },
	{ "includes_off", "includes", CELL_TEXT },
	{ "incl_without_probes", "without probes: incl", CELL_SECONDS },
	{ "excl_without_probes", "excl", CELL_SECONDS },
};
enum {
	REGION_INCL = 4,
	REGION_OFF = 7,
	REGION_WITHOUT = 8, /* without probes: inclusive, then exclusive */
	REGION_COLUMNS = sizeof region_columns / sizeof *region_columns
};

/* Errors of estimates are independent: the error of a sum is the root of the sum of squares. */
#define SQUARE(ns) "1.0 * " ns " * " ns
#define ROOT(sum) "CAST(round(sqrt(coalesce(" sum ", 0))) AS INTEGER)"

#define PLACE " CASE WHEN s.line_start THEN s.file || ':' || s.line_start ELSE '-' END,"

/* The time of a nested activation is in its outer one already, so only outer ones count as
 * inclusive time. Each node is summed first, in the order in which its rows are stored; to sum by
 * region at once, the database would sort them. */
static const char regions[] =
	"WITH "
	"s AS (SELECT n.region, w.row, w.name, sum(m.calls) AS calls, "
	"sum(iif(n.nested, 0, m.incl_ns)) AS incl, "
	"sum(m.excl_ns) AS excl, sum(" SQUARE("iif(n.nested, 0, e.incl_error_ns)") ") AS error "
	"FROM drg_node n "
	"JOIN region_summary m ON m.drg_node = n.id JOIN region r ON r.id = n.region "
	"LEFT JOIN estimate e ON e.drg_node = n.id AND e.pu = m.pu "
	"LEFT JOIN temp.wrapped_node w ON w.node = n.id "
	"WHERE n.experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || r.type || ',')) "
	"AND (?3 IS NULL OR r.unit = ?3) AND m.pu IN (SELECT pu FROM temp.chosen_pu) "
	"GROUP BY n.id) "
	"SELECT coalesce(s.row, r.id), 0, coalesce(s.name, r.name), r.type, "
	"CASE WHEN r.line_start THEN r.file || ':' || r.line_start "
	"ELSE '-' END, sum(s.calls), sum(s.incl), sum(s.excl), " ROOT("sum(s.error)") ", "
	OFF_INSIDE_TEXT(OFF_INSIDE_REGION("r.id")) " "
	"FROM s "
	"JOIN region r ON r.id = s.region "
	"GROUP BY r.id, s.row "
	"ORDER BY sum(s.excl) DESC, r.id";

/* -- calls in files of MPI wrappers ------------------------------------------------------------ */

/* Such a call has a row for each caller outside of the file. The item of the row is negative.
 * LIMIT: with columns of metrics, which are known by region, such a call has one row. */
static const char make_wrapped[] =
	"CREATE TEMP TABLE IF NOT EXISTS wrapped_node "
	"(node INTEGER PRIMARY KEY, row INTEGER, name TEXT)";
static const char fill_wrapped[] =
	"INSERT INTO temp.wrapped_node SELECT c.node, -min(h.id) OVER (PARTITION BY h.region, "
	"h.outside), h.outside FROM temp.call_path h "
	"JOIN temp.call_path_of c ON c.call_path = h.id JOIN drg_node n ON n.id = c.node "
	"WHERE h.experiment = ?1 AND h.outside IS NOT NULL AND n.region = h.region";

static int take_wrapped(void *arg, const struct cell *row, struct err *err)
{
	struct filter *f = arg;
	struct probe_cost cost = probe_costs_at(&f->of_nodes, row[0].integer, 0);
	(void)err;
	probe_costs_add(&f->probes, row[1].integer, &cost);
	return 0;
}

/* Makes temp.wrapped_node, and adds the costs of the probes of its rows. */
static int load_wrapped(struct context *c, struct filter *f, int64_t id, struct err *err)
{
	int64_t any = 0;
	if (repo_run(c->repo, err, make_wrapped, "") ||
	    repo_run(c->repo, err, "DELETE FROM temp.wrapped_node", "") ||
	    repo_number(c->repo, &any, err, "SELECT EXISTS (SELECT 1 FROM code_region "
			"WHERE type LIKE 'CR_MPI%' AND line_start > 0)", "") < 0)
		return ERR_FAILED;
	if (!any || f->measures.by_node || f->measures.variable.n)
		return 0;
	if (call_paths_load(c->repo, id, err) ||
	    repo_run(c->repo, err, fill_wrapped, "i", id) ||
	    repo_number(c->repo, &any, err, "SELECT count(*) FROM temp.wrapped_node", "") < 0)
		return ERR_FAILED;
	f->of_nodes = (struct probe_costs){ .chosen = true };
	int rc = any ? probe_costs_load(&f->of_nodes, c->repo, id, err) : 0;
	return rc ? rc :
		    repo_each(c->repo, take_wrapped, f, err,
			      "SELECT node, row FROM temp.wrapped_node", "");
}

static const char tree[] =
	CALL_TREE
	"SELECT s.drg_node, 0, " CALL_TREE_NAME("s.depth", "s.region") ", "
	"s.type," PLACE " sum(s.calls), sum(s.incl_ns), sum(s.excl_ns), "
	ROOT("sum(" SQUARE("e.incl_error_ns") ")") ", "
	OFF_INSIDE_TEXT(OFF_INSIDE_NODE("s.drg_node")) " "
	"FROM summary s "
	"JOIN placed l ON l.id = s.drg_node "
	"LEFT JOIN estimate e ON e.drg_node = s.drg_node AND e.pu = s.pu "
	"WHERE" PASSES
	"GROUP BY s.drg_node "
	"ORDER BY l.place";

static const struct column value_columns[] = {
	{ "region", "region", CELL_TEXT }, { "place", "place", CELL_TEXT },
	{ "name", "value", CELL_TEXT },	   { "count", "count", CELL_INTEGER },
	{ "mean", "mean", CELL_REAL },	   { "min", "min", CELL_REAL },
	{ "max", "max", CELL_REAL },	   { "sum", "sum", CELL_REAL },
};

static const char values[] =
	"SELECT s.region_id, 0, s.region," PLACE " v.name, sum(v.count), "
	"sum(v.sum) / sum(v.count), min(v.min), max(v.max), sum(v.sum) "
	"FROM summary s "
	"JOIN user_value v ON v.region_summary = s.id "
	"WHERE" PASSES
	"GROUP BY s.region_id, v.name "
	"ORDER BY v.name, s.region_id";

/* The columns of regions, and one for each metric. The caller frees them. */
static struct column *columns_with(const struct measures *m)
{
	struct column *column = mem_alloc(REGION_COLUMNS + m->variable.n, sizeof *column);
	memcpy(column, region_columns, sizeof region_columns);
	for (size_t v = 0; v < m->variable.n; v++)
		column[REGION_COLUMNS + v] = (struct column){
			m->variable.at[v], m->variable.at[v],
			measure_is_time(m, v) ? CELL_SECONDS : CELL_INTEGER
		};
	return column;
}

/* -- the command ------------------------------------------------------------------------------- */

/* What is printed: the numbers of the program, every node and PU, or what people want to see. */
struct question {
	const char *sql;
	struct column *column;
	size_t columns, from_sql, raw, incl;
};

static struct column *copy(const struct column *column, size_t n)
{
	struct column *all = mem_alloc(n, sizeof *all);
	memcpy(all, column, n * sizeof *all);
	return all;
}

#define COLUMNS(of) copy(of, sizeof of / sizeof *of), sizeof of / sizeof *of
enum { WITHOUT_PROBES = 2, VALUE_COLUMNS = sizeof value_columns / sizeof *value_columns,
       ROW_COLUMNS = sizeof row_columns / sizeof *row_columns };

/* ",O_A,O_B,": the overheads among the metrics; NULL: there are none. The caller frees it. */
static char *overhead_list(const struct measures *m)
{
	struct buf list = { 0 };
	for (size_t v = 0; v < m->variable.n; v++) {
		const char *name = m->variable.at[v];
		if (sis_overhead_by_name(name, strlen(name)) != O_NONE)
			buf_print(&list, "%s%s,", list.length ? "" : ",", name);
	}
	return list.length ? buf_take(&list) : NULL;
}

static struct question ask(const struct context *c, const struct filter *f, bool with_idle)
{
	if (cli_get(&c->cli, "--values"))
		return (struct question){ values, COLUMNS(value_columns), VALUE_COLUMNS, 0, 0 };
	if (c->format != FORMAT_TEXT)
		return (struct question){ with_idle ? rows_with_idle : rows,
					  COLUMNS(row_columns), ROW_COLUMNS - WITHOUT_PROBES,
					  METRICS, ROW_INCL };
	return (struct question){ cli_get(&c->cli, "--tree") ? tree : regions,
				  columns_with(&f->measures),
				  REGION_COLUMNS + f->measures.variable.n,
				  REGION_COLUMNS - WITHOUT_PROBES, 0, REGION_INCL };
}

/* Says that times and counts are estimates or missing, or regions turned off. */
static int print_estimates(struct context *c, int64_t id, struct err *err)
{
	static const enum warning_kind kinds[] = { WARNING_SAMPLED, WARNING_COUNTS, WARNING_LOST,
						   WARNING_FILTER };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof kinds / sizeof *kinds; i++)
		rc = view_print_warnings(c, id, kinds[i], err);
	return rc;
}

/* Says what was off for a part of the run. */
static int print_off(struct context *c, int64_t id, struct err *err)
{
	struct table table = { 0 };
	int rc = c->format == FORMAT_TEXT ? switched_off_load(&table, c->repo, id, err) : 0;
	if (rc == 0 && table_rows(&table)) {
		puts("\noff for a part of the run");
		switched_off_print(&table, SIZE_MAX, stdout);
	}
	table_release(&table);
	return rc;
}

/* Whether the probes in the regions shown, those of the runtime aside, cost a thousandth of the
 * longest one. Otherwise text has the same times twice. */
static bool is_worth_columns(const struct table *table)
{
	enum { WORTH = 1000, TYPE = 1, EXCL = REGION_INCL + 1, WITHOUT = REGION_WITHOUT + 1 };
	int64_t cost = 0, longest = 0;
	for (size_t i = 0; i < table_rows(table); i++) {
		const struct cell *c = table_cell(table, i, 0);
		if (strcmp(c[TYPE].text, "RT_PROBE") != 0)
			cost = clamp_add(cost, clamp_subtract(c[EXCL].integer,
							      c[WITHOUT].integer));
		if (c[REGION_INCL].integer > longest)
			longest = c[REGION_INCL].integer;
	}
	return cost >= longest / WORTH;
}

static bool includes_any(const struct table *table)
{
	for (size_t i = 0; i < table_rows(table); i++)
		if (*table_cell(table, i, REGION_OFF)->text)
			return true;
	return false;
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

/* Loads the metrics of the chosen processing units: of nodes or regions, for text added up. Text
 * has the metrics of the run by themselves. */
static int load_metrics(struct context *c, struct filter *f, int64_t id, struct err *err)
{
	bool is_text = c->format == FORMAT_TEXT;
	struct map chosen = { 0 };
	if (is_text && !cli_get(&c->cli, "--metric") &&
	    measures_add_recorded(&f->measures, c->repo, id, err))
		return ERR_FAILED;
	f->measures.by_node = !is_text || cli_get(&c->cli, "--tree");
	f->probes = (struct probe_costs){ .by_region = !f->measures.by_node, .chosen = is_text };
	int rc = probe_costs_load(&f->probes, c->repo, id, err);
	if (f->measures.variable.n)
		rc = rc ? rc : measures_load(&f->measures, c->repo, id, err);
	rc = rc ? rc : pu_choice_map(c->repo, &chosen, err);
	if (rc == 0 && is_text)
		measures_fold(&f->measures, &chosen);
	rc = rc ? rc : load_wrapped(c, f, id, err);
	map_free(&chosen);
	return rc;
}

static int print(struct context *c, struct filter *f, int64_t id, struct err *err)
{
	struct table table;
	char *lost = overhead_list(&f->measures);
	struct question q = ask(c, f, lost);
	struct filling to = { &table, f, q.raw, q.from_sql, q.incl };
	table_init(&table, q.column, q.columns);
	int rc = off_inside_load(c->repo, id, err);
	rc = rc ? rc :
		  repo_each(c->repo, take_row, &to, err, q.sql,
			    q.sql == rows_with_idle ? "ittt" : "itt", id, f->types, f->function,
			    lost);
	if (q.incl == REGION_INCL && !includes_any(&table))
		q.column[REGION_OFF].title = NULL;
	if (q.incl == REGION_INCL && !is_worth_columns(&table))
		q.column[REGION_WITHOUT].title = q.column[REGION_WITHOUT + 1].title = NULL;
	rc = rc ? rc : print_regions(c, &table, err);
	rc = rc ? rc : print_estimates(c, id, err);
	rc = rc ? rc : print_off(c, id, err);
	table_release(&table);
	free(q.column), free(lost);
	return rc;
}

/* Of an interval, only what a trace has is known. */
static int check_options(const struct cli *cli, bool has_interval, struct err *err)
{
	const char *other = cli_get(cli, "--values") ? "--values" : "--metric";
	if (cli_get(cli, "--tree") && cli_get(cli, "--sort"))
		return err_usage(err, "regions: --tree and --sort at once; a tree has its order: "
				 "leave one out");
	if (cli_get(cli, "--values") && cli_get(cli, "--metric"))
		return err_usage(err, "regions: --values shows the numbers of the program, which "
				 "have no --metric: leave one out");
	if (has_interval && cli_get(cli, other))
		return err_usage(err, "regions: a trace has no times of %s: leave it out, or "
				 "--from and --to", other);
	return 0;
}

static int print_part(struct context *c, struct filter *f, int64_t id,
		      struct interval_question *q, bool has_interval, struct err *err)
{
	q->types = f->types;
	q->function = f->function;
	q->is_tree = cli_get(&c->cli, "--tree");
	if (has_interval)
		return interval_regions_print(c, id, q, err) ?: print_off(c, id, err);
	int rc = cli_get(&c->cli, "--values") ? 0 : load_metrics(c, f, id, err);
	return rc ? rc : print(c, f, id, err);
}

static int run(struct context *c, struct err *err)
{
	int64_t id, units;
	bool has_interval;
	struct filter f = { 0 };
	struct interval_question q = { 0 };
	int rc = select_interval(&c->cli, "regions", &has_interval, &q.from_ns, &q.to_ns, err);
	rc = rc ? rc : check_options(&c->cli, has_interval, err);
	rc = rc ? rc : parse_filter(&f, &c->cli, err);
	rc = rc ? rc : context_experiment(c, &id, err);
	rc = rc ? rc : pu_choice_load(c->repo, id, &f.pus, &units, err);
	rc = rc ? rc : print_part(c, &f, id, &q, has_interval, err);
	release_filter(&f);
	return rc;
}

const struct command cmd_regions = {
	"regions",
	"[EXP] [--type T] [--unit U] [--metric M] [--pu P.T] [--from S] [--to S] [--tree] "
	"[--values]",
	"Show times and metrics of code regions",
	"Inclusive time includes what a region calls, exclusive time does not. Without probes\n"
	"both are less by what the probes cost there; text shows it if that is a thousandth.\n"
	"Values are sums over processes and threads; --json and --csv give every node of the\n"
	"call graph for every process and thread. Metrics that the run recorded beyond the\n"
	"default ones are columns. --metric chooses others, in upper or lower case, and also\n"
	"overheads; they include what a region calls. A value that is not known is -. Overheads\n"
	"of a region also include the time of threads that were not in it themselves, as those\n"
	"that were idle while the initial thread was, so they may exceed its inclusive time.\n"
	"These threads have rows with 0 calls in --json and --csv.\n"
	"What rules, sis-analyze control or pauses had off for a part of the run is named\n"
	"below the table, and in switched_off of --json and --csv.\n"
	"Text without metrics shows calls in a file of MPI wrappers by their caller outside.\n"
	"--from and --to read the trace: calls that began in that part of the run, and the\n"
	"times within it.\n"
	"Example: sis-analyze regions --type CR_MPI --sort calls --top 10",
	options,
	1,
	run,
};
