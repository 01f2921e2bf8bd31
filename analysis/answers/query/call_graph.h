/* SPDX-License-Identifier: BSD-3-Clause */
/* call_graph.h - the dynamic region call graph of an experiment with its times, in the order in
 * which it is drawn. All formats of call trees are written from this graph.
 *
 *   call_graph -- regions   of the source, or what the runtime adds
 *              |- nodes     stacks of regions; a node precedes its children; no gaps in a subtree
 *              |- pus       processing units, or their sums by process or over all
 *              |- cells     PU x node: calls, times
 *              |- parts     PU x node x leaf: time outside of all child nodes, either useful
 *              |            work or an overhead; all parts of a processing unit together are T_p
 *              `- values    PU x node x metric
 *
 * Cells, parts and values are ordered by PU, then node; call_graph_next walks the three lists at
 * once. */
#ifndef SIS_ANALYSIS_CALL_GRAPH_H
#define SIS_ANALYSIS_CALL_GRAPH_H

#include "repository/database/repository.h"
#include "tables.h"

/* what one PU of the graph stands for: a processing unit, a process, or the whole run */
enum graph_fold { GRAPH_PUS, GRAPH_PROCESSES, GRAPH_WHOLE };

#define GRAPH_NONE UINT32_MAX

struct graph_region {
	char *name, *type, *function, *file, *key;
	char *checksum; /* checksum of the file's text; "": unknown */
	/* checksum of the function's tokens, compiler and flags (repository.sql); "": unknown */
	char *tokens, *build;
	int64_t id, line_start, column_start, line_end, column_end;
};
struct graph_node {
	int64_t id;
	uint32_t region, parent, depth; /* parent of the root: GRAPH_NONE */
	/* end of its subtree: index of the first node behind it */
	uint32_t end;
	bool nested;                    /* an ancestor has the same region */
	char *path;
};
struct graph_pu { int64_t process, thread; }; /* -1: the sum of all */
/* what: the leaf of a part (O_NONE: useful work), or the metric of a value */
struct graph_key { uint32_t pu, node, what; };
struct graph_cell {
	struct graph_key at;
	bool open;                      /* an activation had not ended */
	int64_t calls, subs, incl_ns, excl_ns;
	int64_t min_ns, max_ns;         /* -1: no activation ended */
};
struct graph_part { struct graph_key at; int64_t ns; };
struct graph_value { struct graph_key at; int64_t value; };
struct graph_metric { char *name; bool is_time; };

struct call_graph {
	char *experiment, *program;
	int64_t p, t_p_ns;
	VEC(struct graph_region) region;
	VEC(struct graph_node) node;
	VEC(struct graph_pu) pu;
	VEC(struct graph_cell) cell;
	VEC(struct graph_part) part;
	VEC(struct graph_value) value;
	VEC(struct graph_metric) metric;
	bool has_leaf[SIS_OVERHEADS]; /* whether any time is booked as this leaf */
};

/* Loads the graph of the PU process.thread, or of all PUs if `process` is negative. */
int call_graph_load(struct call_graph *graph, struct repo *repo, int64_t experiment,
		    enum graph_fold fold, int64_t process, int64_t thread, struct err *err);
void call_graph_release(struct call_graph *graph);
/* Sorts cells, parts and values again after their keys changed, and adds up those with the same
 * key. */
void call_graph_settle(struct call_graph *graph);

struct graph_row { /* what one PU did in one node */
	uint32_t pu, node;
	const struct graph_cell *cell; /* all zeros if the PU only has idle time in the node */
	const struct graph_part *part;
	const struct graph_value *value;
	size_t parts, values;
};
struct graph_cursor { size_t cell, part, value; }; /* all zeros: before the first row */

/* Finds the next row, in the order of PU and node. Returns false if there are no more rows. */
bool call_graph_next(const struct call_graph *graph, struct graph_cursor *cursor,
		     struct graph_row *row);

/* graph_ns: the time of a row that is booked as a leaf (O_NONE: useful work). graph_value: the
 * value of a metric in a row, or NULL if it was not measured there. */
static inline int64_t graph_ns(const struct graph_row *row, uint32_t leaf)
{
	for (size_t i = 0; i < row->parts; i++)
		if (row->part[i].at.what == leaf)
			return row->part[i].ns;
	return 0;
}

static inline const int64_t *graph_value(const struct graph_row *row, uint32_t metric)
{
	for (size_t i = 0; i < row->values; i++)
		if (row->value[i].at.what == metric)
			return &row->value[i].value;
	return NULL;
}

static inline const struct graph_region *graph_region_of(const struct call_graph *graph,
							 uint32_t node)
{
	return &graph->region.at[graph->node.at[node].region];
}

#endif
