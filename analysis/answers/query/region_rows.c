/* SPDX-License-Identifier: BSD-3-Clause */
/* region_rows.c - see region_rows.h. Owns temp.wrapped_node; one thread. Statements give the times.
 * For each of their rows, metrics and the costs of probes are looked up. The statements are the
 * same for an interval, whose times are in temp.region_summary (interval_rows.h). */
#include "answers/query/region_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clamp.h"
#include "answers/query/call_paths.h"
#include "answers/query/call_tree.h"
#include "answers/query/off_inside.h"
#include "answers/query/pu_choice.h"
#include "answers/query/switched_off.h"
#include "tables.h"

/* -- columns ----------------------------------------------------------------------------------- */

/* Names that the SQL of a column can use; ?1 is the experiment:
 *   n, r  the node and its region
 *   u     in `each`: the processing unit
 *   s, e  in `each` and `node`: the summary and its estimate; null in `each` for a unit that was
 *         not in the node itself
 *   t     in `line`: the sums of a node. t.KEY is the value of `node` of the column with this key;
 *         t.incl, t.excl, t.depth and t.name exist, too
 *   ?4    in `line` and `node`: 1 if lines are nodes */
#define SUMMARY(column) "coalesce(s." column ", 0)"
/* Samples show no calls. */
#define CALLS(count) "iif(r.type = 'CR_SAMPLED', NULL, " count ")"
/* The outer activation's time includes that of a nested one, so only outer ones count for the
 * inclusive time of a region. */
#define OUTER(ns) "iif((n.nested OR coalesce(w.nested, 0)) AND NOT ?4, 0, " ns ")"
/* Errors of estimates are independent: the error of a sum is the root of the sum of squares. */
#define SQUARES(ns) "sum(1.0 * " ns " * " ns ")"
#define ROOT(sum) "CAST(round(sqrt(coalesce(" sum ", 0))) AS INTEGER)"
#define OFF_INSIDE_LINE \
	"CASE WHEN ?4 THEN " OFF_INSIDE_TEXT(OFF_INSIDE_NODE("t.node")) \
	" ELSE " OFF_INSIDE_TEXT(OFF_INSIDE_REGION("r.id")) " END"
#define METRICS \
	"(SELECT json_group_object(m.name, CASE WHEN m.value IS NOT NULL AND m.unit = 'ns' THEN " \
	"json(printf('%d.%09d', m.value / 1000000000, m.value % 1000000000)) ELSE m.value END) " \
	"FROM metric_value m WHERE m.region_summary = s.id)"
#define USER_VALUES \
	"(SELECT json_group_object(v.name, json_object('count', v.count, 'sum', v.sum, " \
	"'min', v.min, 'max', v.max)) FROM user_value v WHERE v.region_summary = s.id)"

/* clang-format off */
const struct region_column region_columns[] = {
	{ { "region", "region", CELL_TEXT }, .of_interval = true, .each = "r.name",
	  .line = CALL_TREE_NAME("t.depth", "coalesce(t.name, r.name)") },
	{ { "type", "type", CELL_TEXT }, .of_interval = true, .each = "r.type", .line = "r.type" },
	{ { NULL, "place", CELL_TEXT }, .of_interval = true,
	  .line = "r.place" },
	{ { "unit", NULL, CELL_TEXT }, .of_interval = true, .each = "r.unit" },
	{ { "file", NULL, CELL_TEXT }, .of_interval = true, .each = "r.file" },
	{ { "line_start", NULL, CELL_INTEGER }, .of_interval = true, .each = "r.line_start" },
	{ { "line_end", NULL, CELL_INTEGER }, .of_interval = true, .each = "r.line_end" },
	{ { "path", NULL, CELL_TEXT }, .of_interval = true, .each = "n.path" },
	{ { "process", NULL, CELL_INTEGER }, .of_interval = true, .each = "u.process" },
	{ { "thread", NULL, CELL_INTEGER }, .of_interval = true, .each = "u.thread" },
	{ { "calls", "calls", CELL_INTEGER }, .of_interval = true,
	  .each = CALLS(SUMMARY("calls")), .line = "sum(t.calls)", .node = CALLS("sum(s.calls)") },
	{ { "subs", NULL, CELL_INTEGER }, .of_interval = true, .each = SUMMARY("subs") },
	{ { "wtime_incl", "incl [s]", CELL_SECONDS }, .of_interval = true,
	  .each = SUMMARY("incl_ns"), .line = "sum(t.incl)" },
	{ { "wtime_excl", "excl [s]", CELL_SECONDS }, .of_interval = true,
	  .each = SUMMARY("excl_ns"), .line = "sum(t.excl)" },
	{ { "error", "error [s]", CELL_SECONDS }, .each = "coalesce(e.incl_error_ns, 0)",
	  .line = ROOT("sum(t.error)"), .node = SQUARES(OUTER("e.incl_error_ns")) },
	{ { "error_excl", NULL, CELL_SECONDS }, .each = "coalesce(e.excl_error_ns, 0)" },
	{ { "useful", NULL, CELL_SECONDS }, .each = SUMMARY("useful_ns") },
	{ { "mint", NULL, CELL_SECONDS }, .each = "s.min_ns" },
	{ { "maxt", NULL, CELL_SECONDS }, .each = "s.max_ns" },
	{ { "open", NULL, CELL_BOOL }, .each = SUMMARY("is_open") },
	{ { "metrics", NULL, CELL_RAW }, .value = VALUE_METRICS, .each = METRICS },
	{ { "values", NULL, CELL_RAW }, .each = USER_VALUES },
	{ { "includes_off", NULL, CELL_RAW }, .each = OFF_INSIDE_JSON(OFF_INSIDE_NODE("n.id")) },
	{ { "includes_off", "includes", CELL_TEXT }, .line = OFF_INSIDE_LINE },
	{ { "switched_off", NULL, CELL_RAW },
	  .each = SWITCHED_OFF_JSON("n.region", "r.type", "u.process", "u.thread") },
	{ { "wtime_incl_without_probes", "without probes: incl", CELL_SECONDS },
	  .value = VALUE_INCL_BARE, .each = "0", .line = "0" },
	{ { "wtime_excl_without_probes", "excl", CELL_SECONDS },
	  .value = VALUE_EXCL_BARE, .each = "0", .line = "0" },
};
/* clang-format on */
const size_t region_column_count = sizeof region_columns / sizeof *region_columns;

/* -- statements -------------------------------------------------------------------------------- */

/* Rows of a statement begin with cells that the table does not show: item and processing unit, by
 * which metrics are looked up, and cells from which the times without probes are computed. */
enum { ITEM, PU, TYPE, INCL, EXCL, SHOWN };

struct filling {
	struct region_rows *rows;
	VEC(const struct region_column *) column; /* all columns but those of metrics */
	int64_t probes_ns, longest_ns; /* in text: cost of all probes; longest time of a row */
};

#define CHOSEN_PU "IN (SELECT pu FROM temp.chosen_pu)"
#define CHOSEN_REGION \
	"(?2 IS NULL OR instr(?2, ',' || r.type || ',')) AND (?3 IS NULL OR r.unit = ?3) "

/* A row for each node and each unit that was in it. If overheads ?4 are asked for, there is also a
 * row for a unit that was not in the node itself, but has such overhead in the node or below: the
 * unit was idle while the initial thread was in the node, or is in a team that was forked there. */
static const char each_head[] =
	"WITH RECURSIVE idle(node, pu) AS ("
	"SELECT o.drg_node, o.pu FROM drg_node n JOIN overhead o ON o.drg_node = n.id "
	"WHERE ?4 IS NOT NULL AND n.experiment = ?1 AND o.pu " CHOSEN_PU " AND o.ns <> 0 "
	"AND o.leaf IN (SELECT leaf FROM overhead_ancestor WHERE instr(?4, ',' || name || ',')) "
	"UNION SELECT n.parent, i.pu FROM idle i JOIN drg_node n ON n.id = i.node "
	"WHERE n.parent IS NOT NULL), "
	"place(node, pu) AS ("
	"SELECT s.drg_node, s.pu FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"WHERE n.experiment = ?1 AND s.pu " CHOSEN_PU " UNION SELECT node, pu FROM idle) "
	"SELECT p.node, p.pu, r.type, " SUMMARY("incl_ns") ", " SUMMARY("excl_ns");
static const char each_from[] =
	" FROM place p JOIN drg_node n ON n.id = p.node JOIN region r ON r.id = n.region "
	"JOIN processing_unit u ON u.id = p.pu "
	"LEFT JOIN region_summary s ON s.drg_node = p.node AND s.pu = p.pu "
	"LEFT JOIN estimate e ON e.drg_node = p.node AND e.pu = p.pu "
	"WHERE " CHOSEN_REGION "ORDER BY p.node, u.process, u.thread";

/* Rows are added up by node first, in the order in which they are stored. To add them up by region
 * at once, the database would sort them. */
static const char line_node[] =
	"t AS (SELECT n.id AS node, n.region, ?4 * n.depth AS depth, w.row, w.name, "
	"sum(" OUTER("s.incl_ns") ") AS incl, sum(s.excl_ns) AS excl";
static const char line_sum[] =
	" FROM drg_node n "
	"JOIN region_summary s ON s.drg_node = n.id JOIN region r ON r.id = n.region "
	"LEFT JOIN estimate e ON e.drg_node = n.id AND e.pu = s.pu "
	"LEFT JOIN temp.wrapped_node w ON w.node = n.id "
	"WHERE n.experiment = ?1 AND s.pu " CHOSEN_PU " AND " CHOSEN_REGION "GROUP BY n.id) "
	"SELECT iif(?4, t.node, coalesce(t.row, r.id)), 0, r.type, sum(t.incl), sum(t.excl)";
static const char line_from[] = " FROM t JOIN region r ON r.id = t.region ";

static void print_lines(struct buf *sql, const struct filling *f)
{
	bool is_tree = f->rows->is_tree;
	buf_print(sql, "%s%s", is_tree ? CALL_TREE ", " : "WITH ", line_node);
	for (size_t i = 0; i < f->column.n; i++)
		if (f->column.at[i]->node)
			buf_print(sql, ", %s AS %s", f->column.at[i]->node,
				  f->column.at[i]->column.key);
	buf_print(sql, "%s", line_sum);
	for (size_t i = 0; i < f->column.n; i++)
		buf_print(sql, ", %s", f->column.at[i]->line);
	buf_print(sql, "%s%s", line_from,
		  is_tree ? "JOIN placed l ON l.id = t.node GROUP BY t.node ORDER BY l.place" :
			    "GROUP BY coalesce(t.row, r.id) ORDER BY sum(t.excl) DESC, r.id");
}

/* -- nodes in other rows than that of their region --------------------------------------------- */

/* A call in a file of MPI wrappers has a row for each caller outside of the file. The item of such
 * a row is negative.
 * LIMIT: if there are columns of metrics, a call has only one row, because metrics are loaded by
 * region. */
static const char fill_wrapped[] =
	"INSERT INTO temp.wrapped_node (node, row, name) "
	"SELECT c.node, -min(h.id) OVER (PARTITION BY h.region, "
	"h.outside), h.outside FROM temp.call_path h "
	"JOIN temp.call_path_of c ON c.call_path = h.id JOIN drg_node n ON n.id = c.node "
	"WHERE h.experiment = ?1 AND h.outside IS NOT NULL AND n.region = h.region";

/* A template with many instances has one row, with the template's name. The key of an instance is
 * that of the template, SIS_KEY_INSTANCE and the instance's name; a template's key is
 * FILE:FUNCTION:CR_F:NAME:0. */
enum { INSTANCES_SHOWN = 8 };
#define PATTERN "substr(r.key, 1, instr(r.key, '" SIS_KEY_INSTANCE "') - 1)"
static const char fill_instances[] =
	"WITH pattern AS (SELECT " PATTERN " AS key, min(r.id) AS first "
	"FROM region r WHERE instr(r.key, '" SIS_KEY_INSTANCE "') "
	"AND r.id IN (SELECT region FROM drg_node WHERE experiment = ?1) "
	"GROUP BY 1 HAVING count(*) > ?2) "
	"INSERT INTO temp.wrapped_node (node, row, name) SELECT n.id, -(1 << 48) - p.first, "
	"rtrim(rtrim(substr(p.key, instr(p.key, ':CR_F:') + 6), '0123456789'), ':') "
	"FROM pattern p JOIN region r ON " PATTERN " = p.key "
	"JOIN drg_node n ON n.region = r.id AND n.experiment = ?1";

/* An instance may call another one of its template. */
static const char find_nested[] =
	"UPDATE temp.wrapped_node SET nested = EXISTS ("
	"WITH RECURSIVE up(id) AS (SELECT parent FROM drg_node WHERE id = wrapped_node.node "
	"UNION ALL SELECT n.parent FROM up JOIN drg_node n ON n.id = up.id) "
	"SELECT 1 FROM up JOIN temp.wrapped_node o ON o.node = up.id AND o.row = wrapped_node.row) "
	"WHERE row < -(1 << 48)";

struct wrapped { struct probe_costs *of_rows, of_nodes; };

static int take_wrapped(void *arg, const struct cell *row, struct err *err)
{
	struct wrapped *w = arg;
	struct probe_cost cost = probe_costs_at(&w->of_nodes, row[0].integer, 0);
	(void)err;
	probe_costs_add(w->of_rows, row[1].integer, &cost);
	return 0;
}

/* Makes temp.wrapped_node, and adds up the costs of probes for its rows. */
static int load_wrapped(struct region_rows *rows, struct repo *repo, int64_t id, struct err *err)
{
	struct wrapped w = { &rows->probes, { .chosen = true } };
	int64_t any = 0;
	if (repo_run(repo, err, "DROP TABLE IF EXISTS temp.wrapped_node", "") ||
	    repo_run(repo, err, "CREATE TEMP TABLE wrapped_node (node INTEGER PRIMARY KEY, "
		     "row INTEGER, name TEXT, nested INTEGER NOT NULL DEFAULT 0)", "") ||
	    repo_number(repo, &any, err, "SELECT EXISTS (SELECT 1 FROM code_region "
			"WHERE type LIKE 'CR_MPI%' AND line_start > 0)", "") < 0)
		return ERR_FAILED;
	if (rows->measures.by_node || rows->measures.variable.n)
		return 0;
	if ((any && (call_paths_load(repo, id, err) ||
		     repo_run(repo, err, fill_wrapped, "i", id))) ||
	    repo_run(repo, err, fill_instances, "ii", id,
		     (int64_t)(rows->by_template ? 0 : INSTANCES_SHOWN)) ||
	    repo_run(repo, err, find_nested, "") ||
	    repo_number(repo, &any, err, "SELECT count(*) FROM temp.wrapped_node", "") < 0)
		return ERR_FAILED;
	int rc = any ? probe_costs_load(&w.of_nodes, repo, id, err) : 0;
	rc = rc ? rc : repo_each(repo, take_wrapped, &w, err,
				 "SELECT node, row FROM temp.wrapped_node", "");
	probe_costs_release(&w.of_nodes);
	return rc;
}

/* -- cells ------------------------------------------------------------------------------------- */

/* Completes a JSON object that has the metrics that were requested for a region: adds overheads,
 * and metrics that are columns of a summary. */
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

/* A row of the statement, and the values of its item. */
struct found {
	const struct cell *cell;
	const struct measure_row *values; /* NULL: none */
	struct probe_cost cost;
};

static void add_cell(struct region_rows *rows, const struct found *row, const struct cell *cell,
		     enum region_value value)
{
	int64_t incl = row->cell[INCL].integer, excl = row->cell[EXCL].integer;
	char *object;
	switch (value) {
	case VALUE_OF_SQL: table_copy(&rows->table, cell); break;
	case VALUE_METRICS:
		object = row->values ?
			add_members(cell->text, &rows->measures, row->values->value) : NULL;
		table_text(&rows->table, object ?: cell->text);
		free(object);
		break;
	/* a unit that was never in the node has no time there, but may have costs in nodes below */
	case VALUE_INCL_BARE:
		table_seconds(&rows->table, incl ? clamp_subtract(incl, row->cost.all_ns) : 0);
		break;
	case VALUE_EXCL_BARE:
		table_seconds(&rows->table, clamp_subtract(excl, row->cost.own_ns));
		break;
	}
}

static int take_row(void *arg, const struct cell *cell, struct err *err)
{
	struct filling *f = arg;
	struct region_rows *rows = f->rows;
	const struct measures *m = &rows->measures;
	int64_t item = cell[ITEM].integer, pu = cell[PU].integer;
	const struct found row = { cell, measures_row(m, item, pu),
				   probe_costs_at(&rows->probes, item, pu) };
	(void)err;
	if (rows->only_measured && (!row.values || !row.values->measured))
		return 0;
	for (size_t i = 0; i < f->column.n; i++)
		add_cell(rows, &row, &cell[SHOWN + i], f->column.at[i]->value);
	for (size_t v = 0; rows->is_text && v < m->variable.n; v++) {
		double value = row.values ? row.values->value[v] : NAN;
		if (isnan(value))
			table_null(&rows->table);
		else if (measure_is_time(m, v))
			table_seconds(&rows->table, clamp_round(value * 1e9));
		else
			table_integer(&rows->table, clamp_round(value));
	}
	if (strcmp(cell[TYPE].text, "RT_PROBE") != 0)
		f->probes_ns = clamp_add(f->probes_ns, row.cost.own_ns);
	if (cell[INCL].integer > f->longest_ns)
		f->longest_ns = cell[INCL].integer;
	return 0;
}

/* -- the rows ---------------------------------------------------------------------------------- */

/* Lists the columns of the format. In text, a column for each metric follows. */
static void choose_columns(struct filling *f, const struct region_column *from, size_t n)
{
	struct region_rows *rows = f->rows;
	const struct measures *m = &rows->measures;
	for (size_t i = 0; i < n; i++)
		if ((rows->is_text ? from[i].line : from[i].each) &&
		    (from[i].of_interval || !rows->has_interval))
			*vec_push(&f->column) = &from[i];
	n = f->column.n + (rows->is_text ? m->variable.n : 0);
	rows->column = mem_alloc(n, sizeof *rows->column);
	for (size_t i = 0; i < n; i++) {
		size_t v = i - f->column.n;
		rows->column[i] = i < f->column.n ?
			f->column.at[i]->column :
			(struct column){ m->variable.at[v], m->variable.at[v],
					 measure_is_time(m, v) ? CELL_SECONDS : CELL_INTEGER };
	}
	table_init(&rows->table, rows->column, n);
}

/* In text, hides columns of texts without any value. Also hides the times without probes if they
 * hardly differ: if the probes of all rows, without those of the runtime, cost less than a
 * thousandth of the longest time of a row. */
static void hide_columns(const struct filling *f)
{
	enum { WORTH = 1000 };
	struct table *table = &f->rows->table;
	for (size_t i = 0; i < f->column.n; i++) {
		enum region_value value = f->column.at[i]->value;
		bool bare = value == VALUE_INCL_BARE || value == VALUE_EXCL_BARE;
		if (bare ? f->probes_ns < f->longest_ns / WORTH :
			   table->column[i].kind == CELL_TEXT && !table_has_value(table, i))
			f->rows->column[i].title = NULL;
	}
}

/* Loads the metrics of nodes or regions on the chosen processing units; for text, they are added
 * up. */
static int load_measures(struct region_rows *rows, struct repo *repo, int64_t id, struct err *err)
{
	struct map chosen = { 0 };
	int rc = probe_costs_load(&rows->probes, repo, id, err);
	if (rows->measures.variable.n)
		rc = rc ? rc : measures_load(&rows->measures, repo, id, err);
	rc = rc ? rc : pu_choice_map(repo, &chosen, err);
	if (rc == 0 && rows->is_text)
		measures_fold(&rows->measures, &chosen);
	map_free(&chosen);
	return rc ? rc : off_inside_load(repo, id, err);
}

static int fill(struct filling *f, struct repo *repo, int64_t id, struct err *err)
{
	struct region_rows *rows = f->rows;
	struct buf sql = { 0 };
	struct buf lost = { 0 }; /* the overheads among the metrics, as ",O_A,O_B," */
	for (size_t v = 0; v < rows->measures.variable.n; v++) {
		const char *name = rows->measures.variable.at[v];
		if (sis_overhead_by_name(name, strlen(name)) != O_NONE)
			buf_print(&lost, "%s%s,", lost.length ? "" : ",", name);
	}
	if (rows->is_text) {
		print_lines(&sql, f);
	} else {
		buf_print(&sql, "%s", each_head);
		for (size_t i = 0; i < f->column.n; i++)
			buf_print(&sql, ", %s", f->column.at[i]->each);
		buf_print(&sql, "%s", each_from);
	}
	int rc = rows->is_text ? repo_each(repo, take_row, f, err, sql.at, "itti", id,
					   rows->types, rows->function, (int64_t)rows->is_tree) :
				 repo_each(repo, take_row, f, err, sql.at, "ittt", id,
					   rows->types, rows->function, lost.at);
	hide_columns(f);
	free(lost.at), free(sql.at);
	return rc;
}

int region_rows_load(struct region_rows *rows, struct repo *repo, int64_t experiment,
		     const struct region_column *from, size_t n, struct err *err)
{
	struct filling f = { .rows = rows };
	bool by_node = rows->measures.by_node = !rows->is_text || rows->is_tree;
	rows->probes = (struct probe_costs){ .by_region = !by_node, .chosen = rows->is_text };
	/* before interval_rows_load, because it needs the times of the whole run */
	int rc = load_wrapped(rows, repo, experiment, err);
	if (rows->has_interval)
		rc = rc ? rc : interval_rows_load(repo, experiment, rows->from_ns, rows->to_ns,
						  "regions", &rows->gaps, err);
	else
		rc = rc ? rc : load_measures(rows, repo, experiment, err);
	choose_columns(&f, from, n);
	rc = rc ? rc : fill(&f, repo, experiment, err);
	vec_free(&f.column);
	return rc;
}

void region_rows_release(struct region_rows *rows)
{
	table_release(&rows->table);
	measures_release(&rows->measures);
	probe_costs_release(&rows->probes);
	free(rows->column);
	free(rows->types);
}
