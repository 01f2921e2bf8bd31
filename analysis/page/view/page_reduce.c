/* SPDX-License-Identifier: BSD-3-Clause */
/* page_reduce.c - makes an experiment smaller for a page: leaves out nodes with little time, and
 * adds their time to the nearest node above that stays. So all sums are the same as before. Owns
 * nothing that lasts. Called by one thread. */
#include <stdlib.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "page/view/page_source.h"

struct node_time { int64_t ns; uint32_t node; size_t cells; };

/* Nodes with the most time come first. If times are equal, the upper node comes first, so that no
 * node stays without its parent. */
static int compare_times(const void *va, const void *vb)
{
	const struct node_time *a = va, *b = vb;
	return ORDER(b->ns, a->ns) ?: ORDER(a->node, b->node);
}

static bool is_root(const struct call_graph *g, size_t node)
{
	return g->node.at[node].parent == GRAPH_NONE;
}

/* The inclusive time of each node over all units. It is summed from the parts, so that no node has
 * more than its parent. */
static struct node_time *node_times(const struct call_graph *g)
{
	struct node_time *time = mem_alloc(g->node.n, sizeof *time);
	for (uint32_t i = 0; i < g->node.n; i++)
		time[i].node = i;
	for (size_t i = 0; i < g->part.n; i++) {
		const struct graph_part *part = &g->part.at[i];
		int64_t *ns = &time[part->at.node].ns;
		*ns = clamp_add(*ns, part->ns > 0 ? part->ns : 0);
	}
	for (size_t i = 0; i < g->cell.n; i++)
		time[g->cell.at[i].at.node].cells++;
	for (size_t i = g->node.n; i-- > 0;)
		if (!is_root(g, i)) {
			int64_t *above = &time[g->node.at[i].parent].ns;
			*above = clamp_add(*above, time[i].ns);
		}
	qsort(time, g->node.n, sizeof *time, compare_times);
	return time;
}

/* The result's element i is how many of the first i nodes stay. Roots always stay. */
static uint32_t *choose_nodes(const struct call_graph *g, double part)
{
	struct node_time *time = node_times(g);
	uint32_t *before = mem_alloc(g->node.n + 1, sizeof *before);
	double left = part * (double)g->cell.n;
	for (size_t i = 0; i < g->node.n && left >= 0; i++) {
		left -= (double)time[i].cells;
		before[time[i].node + 1] = left >= 0;
	}
	for (size_t i = 0; i < g->node.n; i++)
		before[i + 1] = before[i] + (before[i + 1] || is_root(g, i));
	free(time);
	return before;
}

static void reduce_nodes(struct page_source *s, const uint32_t *before, const uint32_t *row)
{
	struct call_graph *g = &s->graph;
	size_t n = g->node.n;
	for (size_t i = 0; i < n; i++) {
		struct graph_node node = g->node.at[i];
		if (before[i + 1] == before[i]) {
			free(node.path);
			continue;
		}
		node.parent = is_root(g, i) ? GRAPH_NONE : row[node.parent];
		node.end = before[node.end];
		g->node.at[before[i]] = node;
		s->source_node[before[i]] = row[s->source_node[i]];
	}
	g->node.n = before[n];
	for (size_t i = 0; i < s->node.slots; i++)
		if (s->node.slot[i].used)
			s->node.slot[i].value = row[s->node.slot[i].value];
}

/* Cells are ordered by unit, then node, so the cell of the node above comes before. */
static void reduce_cells(struct page_source *s, const uint32_t *before, const uint32_t *row)
{
	struct call_graph *g = &s->graph;
	uint32_t *last = mem_alloc(g->node.n, sizeof *last); /* by node: its last cell, plus 1 */
	size_t n = 0;
	for (size_t i = 0; i < g->cell.n; i++) {
		struct graph_cell cell = g->cell.at[i];
		bool stays = before[cell.at.node + 1] > before[cell.at.node];
		cell.at.node = row[cell.at.node];
		uint32_t above = last[cell.at.node];
		if (stays) {
			s->error_ns[n] = s->error_ns[i];
			g->cell.at[n++] = cell;
			last[cell.at.node] = (uint32_t)n;
		} else if (above && g->cell.at[above - 1].at.pu == cell.at.pu) {
			struct graph_cell *to = &g->cell.at[above - 1];
			to->excl_ns = clamp_add(to->excl_ns, cell.excl_ns);
			s->error_ns[above - 1] = clamp_add(s->error_ns[above - 1], s->error_ns[i]);
		}
	}
	g->cell.n = n;
	free(last);
}

void page_source_reduce(struct page_source *s, double part)
{
	struct call_graph *g = &s->graph;
	uint32_t *before = choose_nodes(g, part);
	/* the new row of each node; if it is left out, that of the nearest node above that stays */
	uint32_t *row = mem_alloc(g->node.n, sizeof *row);
	for (size_t i = 0; i < g->node.n; i++)
		row[i] = before[i + 1] > before[i] ? before[i] : row[g->node.at[i].parent];
	reduce_cells(s, before, row);
	/* A value includes the nodes below, so the values of left-out nodes can be dropped. */
	size_t values = 0;
	for (size_t i = 0; i < g->value.n; i++) {
		struct graph_value value = g->value.at[i];
		if (before[value.at.node + 1] == before[value.at.node])
			continue;
		value.at.node = row[value.at.node];
		g->value.at[values++] = value;
	}
	g->value.n = values;
	for (size_t i = 0; i < g->part.n; i++)
		g->part.at[i].at.node = row[g->part.at[i].at.node];
	reduce_nodes(s, before, row);
	call_graph_settle(g);
	page_source_order(s);
	free(before), free(row);
}
