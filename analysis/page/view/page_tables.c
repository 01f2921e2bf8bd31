/* SPDX-License-Identifier: BSD-3-Clause */
/* page_tables.c - writes the tables of analysis/page/web/data/tables.ts, with the same names of
 * tables and columns. Called by one thread.
 *
 * A table is made in one of two ways. A table whose data is in memory is listed here, with a
 * function for each column that gets the values. Any other table is the result of a statement that
 * has the columns in the same order (page_statements.c). */
#include "page/view/page_tables.h"

#include "repository/database/pu_leaves.h"
#include "page/view/page_leaf.h"
#include "page/view/page_statements.h"

/* -- columns of the call graph ----------------------------------------------------------------- */

typedef int64_t get_value(struct page_source *s, size_t row);

struct graph_column { const char *name; enum page_type type; get_value *get; };
struct graph_table {
	const char *name;
	const struct graph_column *column;
	size_t columns;
	get_value *rows; /* their number */
};

/* Defines a function that gets the values of a column. In `value`, g is the graph, i the row. */
#define GET(name, value)                                                                           \
	static int64_t name(struct page_source *s, size_t i)                                       \
	{                                                                                          \
		const struct call_graph *g = &s->graph;                                            \
		return (void)i, value;                                                             \
	}
#define TEXT(value) page_texts_number(&s->texts, value)

GET(regions, (int64_t)g->region.n)
GET(region_id, g->region.at[i].id)
GET(region_name, TEXT(g->region.at[i].name))
GET(region_type, TEXT(g->region.at[i].type))
GET(region_function, TEXT(g->region.at[i].function))
GET(region_file, TEXT(g->region.at[i].file))
GET(region_line_start, g->region.at[i].line_start)
GET(region_line_end, g->region.at[i].line_end)

static const struct graph_column region_columns[] = {
	{ "id", PAGE_F64, region_id },
	{ "name", PAGE_TEXT, region_name },
	{ "type", PAGE_TEXT, region_type },
	{ "function", PAGE_TEXT, region_function },
	{ "file", PAGE_TEXT, region_file },
	{ "line_start", PAGE_U32, region_line_start },
	{ "line_end", PAGE_U32, region_line_end },
};

GET(nodes, (int64_t)g->node.n)
GET(node_id, g->node.at[i].id)
GET(node_parent, g->node.at[i].parent == GRAPH_NONE ? -1 : (int64_t)g->node.at[i].parent)
GET(node_region, g->node.at[i].region)
GET(node_depth, g->node.at[i].depth)
GET(node_end, g->node.at[i].end)
GET(node_nested, g->node.at[i].nested)
GET(node_source, ((void)g, s->source_node[i]))

static const struct graph_column node_columns[] = {
	{ "id", PAGE_F64, node_id },
	{ "parent", PAGE_I32, node_parent },
	{ "region", PAGE_U32, node_region },
	{ "depth", PAGE_U32, node_depth },
	{ "end", PAGE_U32, node_end },
	{ "nested", PAGE_U8, node_nested },
	{ "source_node", PAGE_U32, node_source },
};

#define CELL g->cell.at[s->cell[i]]
GET(cells, (int64_t)g->cell.n)
GET(cell_node, CELL.at.node)
GET(cell_unit, CELL.at.pu)
GET(cell_calls, CELL.calls)
GET(cell_incl, CELL.incl_ns)
GET(cell_excl, CELL.excl_ns)
GET(cell_min, CELL.min_ns < 0 ? PAGE_UNKNOWN : CELL.min_ns)
GET(cell_max, CELL.max_ns < 0 ? PAGE_UNKNOWN : CELL.max_ns)
GET(cell_open, CELL.open)
GET(cell_error, ((void)g, s->error_ns[s->cell[i]]))

static const struct graph_column cell_columns[] = {
	{ "node", PAGE_U32, cell_node },      { "unit", PAGE_U32, cell_unit },
	{ "calls", PAGE_F64, cell_calls },    { "incl_ns", PAGE_F64, cell_incl },
	{ "excl_ns", PAGE_F64, cell_excl },   { "min_ns", PAGE_F64, cell_min },
	{ "max_ns", PAGE_F64, cell_max },     { "is_open", PAGE_U8, cell_open },
	{ "error_ns", PAGE_F64, cell_error },
};

#define PART g->part.at[s->part[i]]
GET(parts, (int64_t)g->part.n)
GET(part_node, PART.at.node)
GET(part_unit, PART.at.pu)
GET(part_leaf, page_leaf(PART.at.what))
GET(part_ns, PART.ns)

static const struct graph_column part_columns[] = {
	{ "node", PAGE_U32, part_node },
	{ "unit", PAGE_U32, part_unit },
	{ "leaf", PAGE_U8, part_leaf },
	{ "ns", PAGE_F64, part_ns },
};

#define VALUE g->value.at[s->value[i]]
GET(values, (int64_t)g->value.n)
GET(value_node, VALUE.at.node)
GET(value_unit, VALUE.at.pu)
GET(value_metric, TEXT(g->metric.at[VALUE.at.what].name))
GET(value_value, VALUE.value)

static const struct graph_column value_columns[] = {
	{ "node", PAGE_U32, value_node },
	{ "unit", PAGE_U32, value_unit },
	{ "metric", PAGE_TEXT, value_metric },
	{ "value", PAGE_F64, value_value },
};

GET(opens, ((void)g, (int64_t)s->open.n))
GET(open_unit, ((void)g, s->open.at[i].unit))
GET(open_node, ((void)g, s->open.at[i].node))

static int64_t open_since(struct page_source *s, size_t i)
{
	int64_t ns = s->since_ns ? s->since_ns[s->open.at[i].unit] : -1;
	return ns < 0 ? PAGE_UNKNOWN : ns;
}

static const struct graph_column open_columns[] = {
	{ "unit", PAGE_U32, open_unit },
	{ "node", PAGE_U32, open_node },
	{ "since_ns", PAGE_F64, open_since },
};

/* -- columns of sources and differences -------------------------------------------------------- */

GET(files, ((void)g, (int64_t)s->files.file.n))
GET(file_path, ((void)g, TEXT(s->files.file.at[i].path)))
GET(file_state, ((void)g, TEXT(s->files.file.at[i].state)))

static const struct graph_column file_columns[] = {
	{ "path", PAGE_TEXT, file_path },
	{ "state", PAGE_TEXT, file_state },
};

GET(lines, ((void)g, (int64_t)s->files.line.n))
GET(line_file, ((void)g, s->files.line.at[i].file))
GET(line_text, ((void)g, TEXT(s->files.line.at[i].text)))

static const struct graph_column line_columns[] = {
	{ "file", PAGE_U32, line_file },
	{ "text", PAGE_TEXT, line_text },
};

#define PATH ((void)g, &s->differences.path.at[i])
GET(paths, ((void)g, (int64_t)s->differences.path.n))
GET(path_pair, PATH->pair)
GET(path_parent, PATH->parent)
GET(path_name, TEXT(PATH->name))
GET(path_file, TEXT(PATH->file))
GET(path_line, PATH->line)
GET(path_in_a, PATH->region[0] != 0)
GET(path_in_b, PATH->region[1] != 0)

static int64_t path_region(struct page_source *s, size_t i)
{
	int64_t id = s->differences.path.at[i].region[1];
	uint32_t row = id ? map_get(&s->region, (uint64_t)id, 0) : MAP_NONE;
	return row == MAP_NONE ? -1 : (int64_t)row;
}

static const struct graph_column path_columns[] = {
	{ "pair", PAGE_U32, path_pair },   { "parent", PAGE_I32, path_parent },
	{ "name", PAGE_TEXT, path_name },  { "file", PAGE_TEXT, path_file },
	{ "line", PAGE_U32, path_line },   { "in_a", PAGE_U8, path_in_a },
	{ "in_b", PAGE_U8, path_in_b },	   { "region", PAGE_I32, path_region },
};

#define DIFFERENCE ((void)g, &s->differences.difference.at[i])
GET(difference_rows, ((void)g, (int64_t)s->differences.difference.n))
GET(difference_path, (int64_t)DIFFERENCE->path)
GET(difference_leaf, page_leaf(DIFFERENCE->leaf))
GET(difference_a, DIFFERENCE->a)
GET(difference_b, DIFFERENCE->b)

static const struct graph_column difference_columns[] = {
	{ "path", PAGE_U32, difference_path },
	{ "leaf", PAGE_U8, difference_leaf },
	{ "a_ns", PAGE_F64, difference_a },
	{ "b_ns", PAGE_F64, difference_b },
};

/* -- tables in memory -------------------------------------------------------------------------- */

#define COLUMNS(list) list, sizeof list / sizeof *list
static const struct graph_table graph_tables[] = {
	{ "region", COLUMNS(region_columns), regions },
	{ "node", COLUMNS(node_columns), nodes },
	{ "cell", COLUMNS(cell_columns), cells },
	{ "part", COLUMNS(part_columns), parts },
	{ "value", COLUMNS(value_columns), values },
	{ "open", COLUMNS(open_columns), opens },
	{ "source_file", COLUMNS(file_columns), files },
	{ "source_line", COLUMNS(line_columns), lines },
	{ "path", COLUMNS(path_columns), paths },
	{ "difference", COLUMNS(difference_columns), difference_rows },
};

static void add_graph_table(struct page_source *s, const struct graph_table *table,
			    struct page_blocks *blocks, struct json *json)
{
	size_t n = (size_t)table->rows(s, 0);
	int64_t *value = mem_alloc(n, sizeof *value);
	json_field_open(json, table->name, '{');
	json_field_integer(json, "rows", (int64_t)n);
	json_field_open(json, "columns", '{');
	for (size_t k = 0; k < table->columns; k++) {
		for (size_t i = 0; i < n; i++)
			value[i] = table->column[k].get(s, i);
		json_key(json, table->column[k].name);
		page_column_add(blocks, &s->texts, table->column[k].type, value, n, json);
	}
	json_close(json, '}');
	json_close(json, '}');
	mem_free((void **)&value);
}

/* -- tables from statements -------------------------------------------------------------------- */

enum { MOST_COLUMNS = 16 };

struct sql_loader {
	struct page_source *source;
	const struct sql_table *table;
	struct { VEC(int64_t) value; } column[MOST_COLUMNS];
};

static uint32_t referred_row(struct page_source *s, enum reference reference,
			     const struct cell *cell)
{
	const struct map *map = reference == NODE	       ? &s->node :
		reference == UNIT || reference == UNIT_OR_NONE ? &s->unit :
		reference == REGION			       ? &s->region :
								 &s->communicator;
	if (reference != OVERHEAD)
		return map_get(map, (uint64_t)cell->integer, 0);
	enum sis_overhead leaf = overhead_named(&s->overhead, cell->text);
	return leaf == O_NONE ? MAP_NONE : (uint32_t)page_leaf(leaf);
}

/* Sets *value to the number that the page has for the cell. Returns false if the cell refers to a
 * row that does not exist. */
static bool take_value(struct page_source *s, const struct sql_column *column,
		       const struct cell *cell, int64_t *value)
{
	*value = PAGE_UNKNOWN;
	if (column->reference == UNIT_OR_NONE && cell->integer == 0) {
		*value = -1;
		return true;
	}
	if (column->reference != PLAIN) {
		uint32_t row = referred_row(s, column->reference, cell);
		*value = row;
		return row != MAP_NONE;
	}
	if (column->type == PAGE_TEXT)
		*value = page_texts_number(&s->texts, cell->text);
	else if (cell->kind != CELL_NULL)
		*value = cell->integer;
	return true;
}

/* In a damaged repository, a row may refer to one that is missing. Such a row is skipped. */
static int take_row(void *arg, const struct cell *row, struct err *err)
{
	struct sql_loader *l = arg;
	int64_t value[MOST_COLUMNS];
	(void)err;
	for (size_t k = 0; k < l->table->columns; k++)
		if (!take_value(l->source, &l->table->column[k], &row[k], &value[k]))
			return 0;
	for (size_t k = 0; k < l->table->columns; k++)
		*vec_push(&l->column[k].value) = value[k];
	return 0;
}

static int add_sql_table(struct page_source *s, const struct sql_table *table,
			 struct page_blocks *blocks, struct json *json, struct err *err)
{
	struct sql_loader l = { .source = s, .table = table };
	int rc = repo_each(s->repo, take_row, &l, err, table->sql, "i", s->experiment);
	json_field_open(json, table->name, '{');
	json_field_integer(json, "rows", (int64_t)l.column[0].value.n);
	json_field_open(json, "columns", '{');
	for (size_t k = 0; k < table->columns; k++) {
		json_key(json, table->column[k].name);
		page_column_add(blocks, &s->texts, table->column[k].type, l.column[k].value.at,
				l.column[k].value.n, json);
		vec_free(&l.column[k].value);
	}
	json_close(json, '}');
	json_close(json, '}');
	return rc;
}

/* -- all tables -------------------------------------------------------------------------------- */

int page_tables_add(struct page_source *s, struct page_blocks *blocks, struct json *json,
		    struct err *err)
{
	int rc = 0;
	page_texts_init(&s->texts, blocks);
	page_open_find(&s->open, &s->graph);
	json_open(json, '{');
	for (size_t i = 0; i < sizeof graph_tables / sizeof *graph_tables; i++)
		add_graph_table(s, &graph_tables[i], blocks, json);
	for (size_t i = 0; i < PAGE_STATEMENTS; i++)
		rc = rc ? rc : add_sql_table(s, &page_statements[i], blocks, json, err);
	page_trace_tables(&s->trace, &s->unit, &s->node, &s->texts, blocks, json);
	json_close(json, '}');
	page_texts_finish(&s->texts, blocks);
	vec_free(&s->open);
	return rc;
}
