/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_nodes.h - the list of the nodes of the call graph that occur in a page's trace. Tiles and
 * tables name a node by its index in this short list. */
#ifndef SIS_ANALYSIS_TRACED_NODES_H
#define SIS_ANALYSIS_TRACED_NODES_H

#include "base/map.h"
#include "base/mem.h"

struct traced_nodes {
	struct map index;     /* of each node in the list */
	VEC(uint32_t) node;
};

/* The index of a node. The node is added if the list does not have it. */
static inline uint32_t traced_nodes_put(struct traced_nodes *n, uint32_t node)
{
	bool fresh;
	uint32_t index = map_put(&n->index, node, 0, (uint32_t)n->node.n, &fresh);
	if (fresh)
		*vec_push(&n->node) = node;
	return index;
}

static inline void traced_nodes_release(struct traced_nodes *n)
{
	map_free(&n->index), vec_free(&n->node);
}

#endif
