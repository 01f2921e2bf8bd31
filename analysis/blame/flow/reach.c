/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.c - walks through a graph (reach.h). A node is explicit if explicit edges alone lead to it.
 * So all explicit nodes are found before the first implicit edge is followed. */
#include "blame/flow/reach.h"

#include <stdlib.h>

void flow_walk_begin(struct flow_walk *walk, const struct flow_graph *graph)
{
	if (walk->graph == graph) {
		for (size_t i = 0; i < walk->node.n; i++)
			walk->mark[walk->node.at[i]] = FLOW_NOT_REACHED;
	} else {
		free(walk->mark);
		walk->mark = mem_alloc(graph->nodes + 1, 1);
		walk->graph = graph;
	}
	walk->node.n = walk->later.n = walk->explicit_nodes = 0;
}

static void reach(struct flow_walk *walk, uint32_t node, enum flow_reached how)
{
	if (walk->mark[node] != FLOW_NOT_REACHED)
		return;
	walk->mark[node] = (uint8_t)how;
	*vec_push(&walk->node) = node;
}

void flow_walk_start(struct flow_walk *walk, uint32_t node, bool implicit)
{
	if (implicit)
		*vec_push(&walk->later) = node;
	else
		reach(walk, node, FLOW_EXPLICIT);
}

static void follow(struct flow_walk *walk, uint32_t node, enum flow_reached how)
{
	const struct flow_graph *g = walk->graph;
	for (uint32_t i = g->first_edge[node]; i < g->first_edge[node + 1]; i++)
		if (how == FLOW_IMPLICIT || !(g->edge.at[i] & 1))
			reach(walk, g->edge.at[i] >> 1, how);
}

void flow_walk_run(struct flow_walk *walk, flow_stops *stops, const void *context)
{
	for (size_t i = 0; i < walk->node.n; i++)
		if (!stops || !stops(context, walk->node.at[i]))
			follow(walk, walk->node.at[i], FLOW_EXPLICIT);
	walk->explicit_nodes = walk->node.n;
	for (size_t i = 0; i < walk->later.n; i++)
		reach(walk, walk->later.at[i], FLOW_IMPLICIT);
	for (size_t i = 0; i < walk->node.n; i++)
		if (!stops || !stops(context, walk->node.at[i]))
			follow(walk, walk->node.at[i], FLOW_IMPLICIT);
}

void flow_walk_release(struct flow_walk *walk)
{
	free(walk->mark);
	vec_free(&walk->node);
	vec_free(&walk->later);
	*walk = (struct flow_walk){ 0 };
}
