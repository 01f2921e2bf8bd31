/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_leaf.c - the leaf of the overhead tree that a call's wait belongs to. Pure functions of the
 * model. */
#include "match/match_internal.h"

enum sis_overhead match_wait_leaf(const struct experiment *x, const struct process *p,
				  uint32_t node, enum sis_overhead usual)
{
	if (node == NONE || p->global[node] == NONE)
		return O_NONE;
	const struct region *region = region_of_node(x, p->global[node]);
	return region->routine && region->routine->wait == O_NONE ? O_NONE : usual;
}
