/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - the nodes of a graph: notes their edges, reads and writes while the graph is made, and
 * makes the graph's lists from these notes. One thread calls it. */
#include "blame/flow/graph_internal.h"

uint32_t flow__new_node(struct flow_build *b) { return b->graph->nodes++; }

void flow__link(struct flow_build *b, uint32_t from, uint32_t to, bool implicit)
{
	if (from != to)
		*vec_push(&b->link) = (struct flow_link){ from, to << 1 | implicit };
}

void flow__reads(struct flow_build *b, uint32_t node, uint32_t value, struct flow_cell cell)
{
	*vec_push(&b->read) = (struct flow_access){ node, value, cell };
}

void flow__writes(struct flow_build *b, uint32_t node, uint32_t value, struct flow_cell cell)
{
	*vec_push(&b->write) = (struct flow_access){ node, value, cell };
}

void flow__doubts(struct flow_build *b, enum flow_doubt_kind kind, uint32_t node, uint32_t value)
{
	*vec_push(&b->graph->doubt) = (struct flow_doubt){ kind, node, value };
}

/* -- the lists of the graph -------------------------------------------------------------------- */

void flow__list_nodes(struct flow_build *b)
{
	struct flow_graph *g = b->graph;
	g->first_edge = mem_alloc(g->nodes + 2u, sizeof *g->first_edge);
	g->first_write = mem_alloc(g->nodes + 2u, sizeof *g->first_write);
	for (size_t i = 0; i < b->link.n; i++)
		g->first_edge[b->link.at[i].from + 2]++;
	for (size_t i = 0; i < b->write.n; i++)
		g->first_write[b->write.at[i].node + 2]++;
	for (uint32_t i = 2; i <= g->nodes + 1; i++) {
		g->first_edge[i] += g->first_edge[i - 1];
		g->first_write[i] += g->first_write[i - 1];
	}
	vec_alloc(&g->edge, b->link.n);
	for (size_t i = 0; i < b->link.n; i++)
		g->edge.at[g->first_edge[b->link.at[i].from + 1]++] = b->link.at[i].edge;
	vec_alloc(&g->write, b->write.n);
	for (size_t i = 0; i < b->write.n; i++)
		g->write.at[g->first_write[b->write.at[i].node + 1]++] = b->write.at[i].cell;
}
