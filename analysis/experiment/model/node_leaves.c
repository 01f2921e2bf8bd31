/* SPDX-License-Identifier: BSD-3-Clause */
/* node_leaves.c - finds the leaf of the overhead tree for the time of each node. Called by one
 * thread.
 *
 * The region of a node determines the leaf of the node's exclusive time. But three leaves are
 * purposes of work: to redistribute data, to make private copies, and to combine the parts of a
 * reduction. Work for such a purpose may call functions, which may be measured or not. So all work
 * below a region with such a leaf belongs to this leaf, too:
 *
 *     solve                     useful work      useful work
 *       shuffle                 OCTRL_REDIST     OCTRL_REDIST     cr shuffle redistribute begin
 *         pack                  useful work      OCTRL_REDIST
 *         MPI_Alltoallv         ODATA_ALLTOALL   OCTRL_REDIST     but the wait in it: OSYNC_NXN
 *                               by the region    by the node
 */
#include "experiment/model/node_leaves.h"

#include <stdlib.h>

#include "experiment/model/regions.h"

void model_find_leaves(struct experiment_model *m)
{
	enum sis_overhead *purpose = mem_alloc(m->node.n, sizeof *purpose);
	for (uint32_t i = 0; i < m->node.n; i++) { /* parents come before their children */
		uint32_t parent = m->node.at[i].parent;
		enum sis_overhead around = parent == NONE ? O_NONE : purpose[parent];
		enum sis_overhead own = region_leaf(model_region(m, i));
		/* To redistribute data, a program works, sends messages, and allocates and copies
		 * memory. MPI's own work for the messages is a part of this; input and output of
		 * files is not. */
		bool moves = around == OCTRL_REDIST && sis_overhead_is(own, IS_MOVING);
		enum sis_overhead leaf = own == O_NONE || moves ? around : own;
		m->node.fill.at[i].leaf = leaf;
		purpose[i] = sis_overhead_is(leaf, IS_PURPOSE) ? leaf : around;
	}
	free(purpose);
}
