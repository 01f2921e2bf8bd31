/* SPDX-License-Identifier: BSD-3-Clause */
/* page_open.c - finds where each unit is (page_open.h). Owns nothing. Any thread may call it. */
#include "page/view/page_open.h"

/* Cells are ordered by unit, then by node. A node is directly followed by the nodes below it. */
void page_open_find(page_open_list *list, const struct call_graph *graph)
{
	for (size_t i = 0; i < graph->cell.n; i++) {
		struct graph_key at = graph->cell.at[i].at;
		if (!graph->cell.at[i].open || graph->node.at[at.node].parent == GRAPH_NONE)
			continue;
		struct page_open *last = list->n ? &list->at[list->n - 1] : NULL;
		if (last && last->unit == at.pu && at.node < graph->node.at[last->node].end)
			last->node = at.node;
		else
			*vec_push(list) = (struct page_open){ at.pu, at.node };
	}
}
