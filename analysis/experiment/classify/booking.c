/* SPDX-License-Identifier: BSD-3-Clause */
/* booking.c - books time that a PU spent in a node as a leaf, and adds the time to the PU's
 * leaves_ns. Owns nothing; called by one thread. */
#include "experiment/classify/classify_internal.h"

static uint64_t leaf_key(uint32_t pu, enum sis_overhead leaf)
{
	return (uint64_t)pu * SIS_OVERHEADS + leaf;
}

static struct index_key booking_key(const void *list, uint32_t item)
{
	const struct booking *b = &((const struct experiment_classify *)list)->booking.at[item];
	return (struct index_key){ b->node, leaf_key(b->pu, b->leaf) };
}

void classify_book(struct experiment_classify *c, uint32_t node, uint32_t pu,
		   enum sis_overhead leaf, int64_t ns)
{
	if (ns == 0 || leaf == O_NONE)
		return;
	uint32_t i = index_put(&c->booking_by_key, booking_key, c, node, leaf_key(pu, leaf),
			       c->booking.n);
	if (i == c->booking.n)
		*vec_push(&c->booking.fill) = (struct booking){
			.node = node,
			.pu = pu,
			.leaf = leaf,
		};
	c->booking.fill.at[i].ns += ns;
	c->pu.fill.at[pu].leaves_ns += ns;
}
