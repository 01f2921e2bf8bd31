/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.h - which nodes of a graph the work of some nodes flows to. A walk can be used again and
 * again; a new one costs what the one before visited. */
#ifndef SIS_ANALYSIS_FLOW_REACH_H
#define SIS_ANALYSIS_FLOW_REACH_H

#include "flow/graph.h"

enum flow_reached { FLOW_NOT_REACHED, FLOW_EXPLICIT, FLOW_IMPLICIT };

struct flow_walk {
	const struct flow_graph *graph;
	uint8_t *mark;             /* enum flow_reached of each node */
	VEC(uint32_t) node;        /* that were reached, explicit ones first */
	size_t explicit_nodes;
	VEC(uint32_t) later;       /* implicit starts */
};

/* Whether the work stays at a node and does not flow on. */
typedef bool flow_stops(const void *context, uint32_t node);

void flow_walk_begin(struct flow_walk *walk, const struct flow_graph *graph);
void flow_walk_start(struct flow_walk *walk, uint32_t node, bool implicit);
/* `stops` may be NULL. */
void flow_walk_run(struct flow_walk *walk, flow_stops *stops, const void *context);
void flow_walk_release(struct flow_walk *walk);

#endif
