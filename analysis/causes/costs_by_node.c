/* SPDX-License-Identifier: BSD-3-Clause */
/* costs_by_node.c - see costs_by_node.h. Owns the lists; one thread. */
#include "causes/costs_by_node.h"

#include <stdlib.h>
#include <string.h>

void costs_by_node_init(struct costs_by_node *c, const struct experiment *x)
{
	size_t nodes = x->model.node.n + 1;
	c->first = mem_alloc(nodes, sizeof *c->first);
	c->next = mem_alloc(x->causes.delay_cost.n + 1, sizeof *c->next);
	memset(c->first, 0xff, nodes * sizeof *c->first);
	for (size_t i = x->causes.delay_cost.n; i-- > 0;) {
		uint32_t *first = &c->first[x->causes.delay_cost.at[i].node];
		c->next[i] = *first;
		*first = (uint32_t)i;
	}
}

void costs_by_node_release(struct costs_by_node *c)
{
	free(c->first), free(c->next);
}
