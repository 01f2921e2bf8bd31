/* SPDX-License-Identifier: BSD-3-Clause */
/* export_tree.c - trees of regions with columns, for Hatchet's literal reader and as Caliper's
 * split JSON. Owns nothing; one thread. A reader makes a data frame from a tree. The data frame has
 * a row for each node; its columns are the times in seconds and the leaves of the overhead tree. */
#include <string.h>

#include "answers/export/export.h"

/* -- Hatchet: nested objects of frame, metrics, children --------------------------------------- */

/* Writes the value of a metric; `value` NULL: not measured. */
static void write_value(const struct graph_metric *metric, const int64_t *value, struct json *json)
{
	if (!value)
		json_null(json);
	else if (metric->is_time)
		json_seconds(json, *value);
	else
		json_integer(json, *value);
}

/* The reader takes the names of columns from the root. So every node has all times, with 0 for
 * overheads that did not arise. Other metrics are written only for nodes that measured them;
 * "(inc)" says that they include what the node called. */
static void write_metrics(const struct call_graph *g, const struct graph_row *row,
			  struct json *json)
{
	json_field_open(json, "metrics", '{');
	json_field_seconds(json, "time", row->cell->excl_ns);
	json_field_seconds(json, "time (inc)", row->cell->incl_ns);
	json_field_integer(json, "calls", row->cell->calls);
	json_field_seconds(json, "useful", graph_ns(row, O_NONE));
	for (int o = 1; o < SIS_OVERHEADS; o++)
		if (g->has_leaf[o])
			json_field_seconds(json, sis_overhead_table[o].name, graph_ns(row, o));
	for (size_t v = 0; v < row->values; v++) {
		const struct graph_metric *metric = &g->metric.at[row->value[v].at.what];
		char *key = mem_print("%s (inc)", metric->name);
		json_key(json, key), write_value(metric, &row->value[v].value, json);
		mem_free((void **)&key);
	}
	json_close(json, '}');
}

static void close_nodes(size_t n, struct json *json)
{
	while (n-- > 0)
		json_close(json, ']'), json_close(json, '}');
}

int export_hatchet(const struct export_job *job, struct err *err)
{
	static const struct graph_cell nothing = { .min_ns = -1 };
	const struct call_graph *g = &job->graph;
	struct graph_cursor cursor = { 0 };
	struct graph_row next;
	struct json json;
	size_t open = 0;
	bool more = call_graph_next(g, &cursor, &next);
	(void)err;
	json_init(&json, job->out);
	json_open(&json, '[');
	for (uint32_t node = 0; node < g->node.n; node++) {
		struct graph_row row = { .node = node, .cell = &nothing };
		if (more && next.node == node) {
			row = next;
			more = call_graph_next(g, &cursor, &next);
		}
		close_nodes(open - g->node.at[node].depth, &json);
		open = g->node.at[node].depth + 1;
		/* The type has the form that queries of the reader use: "function", "for", "omp
		 * parallel". */
		const struct graph_region *r = graph_region_of(g, node);
		enum sis_region_type type = sis_region_by_name(r->type, strlen(r->type));
		json_open(&json, '{');
		json_field_open(&json, "frame", '{');
		json_field_string(&json, "name", r->name);
		json_field_string(&json, "type", type ? sis_region_table[type].label : r->type);
		json_field_string(&json, "file", r->file);
		json_field_integer(&json, "line", r->line_start);
		json_close(&json, '}');
		write_metrics(g, &row, &json);
		json_field_open(&json, "children", '[');
	}
	close_nodes(open, &json);
	json_close(&json, ']');
	return 0;
}

/* -- Caliper: rows of values that point into a list of nodes ----------------------------------- */

static void write_rows(const struct call_graph *g, struct json *json)
{
	struct graph_cursor cursor = { 0 };
	struct graph_row row;
	json_field_open(json, "data", '[');
	while (call_graph_next(g, &cursor, &row)) {
		json_open(json, '[');
		json_integer(json, row.node), json_integer(json, g->pu.at[row.pu].process);
		json_integer(json, row.cell->calls);
		json_seconds(json, row.cell->incl_ns), json_seconds(json, row.cell->excl_ns);
		json_seconds(json, graph_ns(&row, O_NONE));
		for (int o = 1; o < SIS_OVERHEADS; o++)
			if (g->has_leaf[o])
				json_seconds(json, graph_ns(&row, o));
		for (uint32_t m = 0; m < g->metric.n; m++)
			write_value(&g->metric.at[m], graph_value(&row, m), json);
		json_close(json, ']');
	}
	json_close(json, ']');
}

static void write_columns(const struct call_graph *g, struct json *json)
{
	static const char *const first[] = {
		"path",
		"mpi.rank",
		"count",
		"inclusive#sum#time.duration",
		"sum#time.duration",
		"sum#useful",
	};
	size_t columns = sizeof first / sizeof *first + g->metric.n;
	json_field_open(json, "columns", '[');
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		json_string(json, first[i]);
	for (int o = 1; o < SIS_OVERHEADS; o++) {
		columns += g->has_leaf[o];
		if (g->has_leaf[o])
			json_string(json, sis_overhead_table[o].name);
	}
	for (size_t m = 0; m < g->metric.n; m++) {
		char *name = mem_print("inclusive#sum#%s", g->metric.at[m].name);
		json_string(json, name);
		mem_free((void **)&name);
	}
	json_close(json, ']');
	json_field_open(json, "column_metadata", '[');
	for (size_t i = 0; i < columns; i++) {
		json_open(json, '{');
		json_field_bool(json, "is_value", i > 0);
		json_close(json, '}');
	}
	json_close(json, ']');
}

int export_caliper(const struct export_job *job, struct err *err)
{
	const struct call_graph *g = &job->graph;
	struct json json;
	(void)err;
	json_init(&json, job->out);
	json_open(&json, '{');
	write_rows(g, &json);
	write_columns(g, &json);
	json_field_open(&json, "nodes", '[');
	for (uint32_t n = 0; n < g->node.n; n++) {
		json_open(&json, '{');
		json_field_string(&json, "label", graph_region_of(g, n)->name);
		json_field_string(&json, "column", "path");
		if (g->node.at[n].parent != GRAPH_NONE)
			json_field_integer(&json, "parent", g->node.at[n].parent);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_field_string(&json, "experiment", g->experiment);
	json_field_string(&json, "program", g->program);
	json_field_string(&json, "sis.version", SIS_VERSION);
	json_close(&json, '}');
	return 0;
}
