/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_view.h - a function's graph with the names of the function's variables. It says which
 * variables a node writes, and where walks through the graph stop. */
#ifndef SIS_ANALYSIS_BLAME_FRAME_VIEW_H
#define SIS_ANALYSIS_BLAME_FRAME_VIEW_H

#include "blame/attribute/frame.h"

/* A function's graph, with what frames need to know about it. */
struct view {
	const struct flow_graph *graph;
	struct names names;
	uint32_t first, n;        /* the function's values are `n` numbers from `first` on */
	uint8_t *keeps;           /* for each node, a note that is private to frame_view.c */
	uint8_t *is_output;       /* whether each node ends in an output routine */
	uint32_t *doubt;          /* for each node, the index of its doubt in graph->doubt, plus 1;
	                           * 0: none */
	struct flow_walk walk;    /* private to frame_view.c: finds scalars that flow on into other
	                           * variables */
};

typedef VEC(struct hit) hits;

/* The view of a function. The first call makes it. */
struct view *frame_view(struct frames *frames, uint32_t function);
void frame_view_release(struct view *view);
/* The value that a node stands for; NULL: the node is no value. */
const struct flow_value *frame_value(const struct frames *frames, const struct view *view,
				     uint32_t node);
/* Appends the variables that a node writes. */
void frame_hits(const struct frames *frames, struct view *view, uint32_t node, bool implicit,
		hits *list);

/* The two conditions at which walks stop (flow_stops). The context of both is a struct
 * frame_stopper. */
struct frame_stopper { const struct frames *frames; struct view *view; };
/* Whether a variable of the function keeps the work that reaches this node. */
bool frame_keeps(const void *stopper, uint32_t node);
/* Whether callers see what this node writes. */
bool frame_leaves(const void *stopper, uint32_t node);

#endif
