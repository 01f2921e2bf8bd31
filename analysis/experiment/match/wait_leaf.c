/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_leaf.c - finds the leaf of the overhead tree to which the wait in a call belongs. Changes
 * nothing in the model. */
#include "experiment/match/match_internal.h"

enum sis_overhead match_wait_leaf(const struct experiment *x, const struct process *p,
				  uint32_t node, enum sis_overhead usual)
{
	if (node == NONE || p->global[node] == NONE)
		return O_NONE;
	const struct region *region = region_of_node(x, p->global[node]);
	return region->routine && region->routine->wait == O_NONE ? O_NONE : usual;
}
