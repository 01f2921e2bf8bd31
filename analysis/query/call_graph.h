/* SPDX-License-Identifier: BSD-3-Clause */
/* call_graph.h - the dynamic region call graph of an experiment with its times, in the order in
 * which it is drawn: the one home of what the formats of call trees are written from.
 *
 *   call_graph -- regions   of the source, or what the runtime adds
 *              |- nodes     stacks of regions; each before its children, and a subtree in one piece
 *              |- pus       processing units, or their sums by process or over all
 *              |- cells     PU x node: calls, times
 *              |- parts     PU x node x leaf: time outside of all child nodes, either useful
 *              |            work or an overhead; all parts of a processing unit together are T_p
 *              `- values    PU x node x metric
 *
 * Cells, parts and values are ordered by PU, then node; call_graph_next walks the three at
 * once. */
#ifndef SIS_ANALYSIS_CALL_GRAPH_H
#define SIS_ANALYSIS_CALL_GRAPH_H

#include "repository/repository.h"
#include "tables.h"

/* what one PU of the graph stands for */
enum graph_fold { GRAPH_PUS, GRAPH_PROCESSES, GRAPH_WHOLE };

#define GRAPH_NONE UINT32_MAX

struct graph_region {
	char *name, *type, *function, *file, *key;
	char *checksum; /* of the file's text; "": unknown */
	/* checksum of the function's tokens, compiler and flags (repository.sql); "": unknown */
	char *tokens, *build;
	int64_t id, line_start, column_start, line_end, column_end;
};
struct graph_node {
	int64_t id;
	uint32_t region, parent, depth; /* parent of the root: GRAPH_NONE */
	/* end of its subtree: the first node that is not in it */
	uint32_t end;
	bool nested;                    /* an ancestor has the same region */
	char *path;
};
struct graph_pu { int64_t process, thread; }; /* -1: all of them */
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
	bool has_leaf[SIS_OVERHEADS]; /* whether any time is booked as it */
};

/* process < 0: all PUs, else only that one. */
int call_graph_load(struct call_graph *graph, struct repo *repo, int64_t experiment,
		    enum graph_fold fold, int64_t process, int64_t thread, struct err *err);
void call_graph_release(struct call_graph *graph);
/* Puts cells, parts and values in order again after their keys changed, and adds up those of one
 * key. */
void call_graph_settle(struct call_graph *graph);

struct graph_row { /* what one PU did in one node */
	uint32_t pu, node;
	const struct graph_cell *cell; /* all zeros if only idle time was booked there */
	const struct graph_part *part;
	const struct graph_value *value;
	size_t parts, values;
};
struct graph_cursor { size_t cell, part, value; }; /* all zeros: before the first row */

/* The next row, ordered by PU and node; false: there is none. */
bool call_graph_next(const struct call_graph *graph, struct graph_cursor *cursor,
		     struct graph_row *row);

/* The time of a row that is booked as a leaf (O_NONE: useful work); the value of a metric, NULL:
 * not measured there. */
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
