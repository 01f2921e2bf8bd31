/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.h - computes to which nodes of a graph work flows from some start nodes. A struct flow_walk
 * can be used for many walks. The time to begin another walk through the same graph depends on the
 * number of nodes that the previous walk visited, and not on the size of the graph. */
#ifndef SIS_ANALYSIS_FLOW_REACH_H
#define SIS_ANALYSIS_FLOW_REACH_H

#include "blame/flow/graph.h"

enum flow_reached { FLOW_NOT_REACHED, FLOW_EXPLICIT, FLOW_IMPLICIT };

struct flow_walk {
	const struct flow_graph *graph;
	uint8_t *mark;             /* for each node, an enum flow_reached */
	VEC(uint32_t) node;        /* the nodes that were reached, explicit ones first */
	size_t explicit_nodes;
	VEC(uint32_t) later;       /* the implicit starts, which are visited later */
};

/* Whether work that reaches the node stays there, so that it does not flow on to other nodes. */
typedef bool flow_stops(const void *context, uint32_t node);

void flow_walk_begin(struct flow_walk *walk, const struct flow_graph *graph);
void flow_walk_start(struct flow_walk *walk, uint32_t node, bool implicit);
/* `stops` may be NULL. */
void flow_walk_run(struct flow_walk *walk, flow_stops *stops, const void *context);
void flow_walk_release(struct flow_walk *walk);

#endif
