/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_nodes.h - the nodes of the call graph that a page's trace names: a short list instead of
 * all, which tiles and tables name by place. */
#ifndef SIS_ANALYSIS_TRACED_NODES_H
#define SIS_ANALYSIS_TRACED_NODES_H

#include "base/map.h"
#include "base/mem.h"

struct traced_nodes {
	struct map place;
	VEC(uint32_t) node;
};

/* The place of a node, which is added if it is not there. */
static inline uint32_t traced_nodes_put(struct traced_nodes *n, uint32_t node)
{
	bool fresh;
	uint32_t place = map_put(&n->place, node, 0, (uint32_t)n->node.n, &fresh);
	if (fresh)
		*vec_push(&n->node) = node;
	return place;
}

static inline void traced_nodes_release(struct traced_nodes *n)
{
	map_free(&n->place), vec_free(&n->node);
}

#endif
