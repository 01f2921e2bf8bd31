/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_view.h - a function's graph with the names of its variables: which variables a node writes,
 * and where walks through the graph stop. */
#ifndef SIS_ANALYSIS_BLAME_FRAME_VIEW_H
#define SIS_ANALYSIS_BLAME_FRAME_VIEW_H

#include "blame/frame.h"

/* What is known about the graph of a function. */
struct view {
	const struct flow_graph *graph;
	struct names names;
	uint32_t first, n;        /* values */
	uint8_t *keeps;           /* of each node: frame_view.c's */
	uint8_t *is_output;       /* of each node */
	uint32_t *doubt;          /* of each node: number in graph->doubt + 1 */
	struct flow_walk walk;    /* to find out whether a scalar is passed through */
};

typedef VEC(struct hit) hits;

/* That of a function; the first call makes it. */
struct view *frame_view(struct frames *frames, uint32_t function);
void frame_view_release(struct view *view);
/* The value that a node is; NULL: it is none. */
const struct flow_value *frame_value(const struct frames *frames, const struct view *view,
				     uint32_t node);
/* Appends the variables that a node writes. */
void frame_hits(const struct frames *frames, struct view *view, uint32_t node, bool implicit,
		hits *list);

/* Where walks stop (flow_stops); the context is a struct frame_stopper. */
struct frame_stopper { const struct frames *frames; struct view *view; };
/* A variable of the function keeps what reaches this node. */
bool frame_keeps(const void *stopper, uint32_t node);
/* Callers see what this node writes. */
bool frame_leaves(const void *stopper, uint32_t node);

#endif
