/* SPDX-License-Identifier: BSD-3-Clause */
/* node_leaves.c - see node_leaves.h. One thread.
 *
 * The region of a node says what its exclusive time is. Three leaves are purposes of work, not
 * kinds of it: to redistribute data, to make private copies, to combine the parts of a reduction.
 * Such work calls functions. So the work below a region with such a leaf belongs to
 * this leaf, too, whether the functions are measured or not:
 *
 *     solve                     useful work      useful work
 *       shuffle                 OCTRL_REDIST     OCTRL_REDIST     cr shuffle redistribute begin
 *         pack                  useful work      OCTRL_REDIST
 *         MPI_Alltoallv         ODATA_ALLTOALL   OCTRL_REDIST     but the wait in it: OSYNC_NXN
 *                               by the region    by the node
 */
#include "model/node_leaves.h"

#include <stdlib.h>

#include "model/regions.h"

/* What redistributing data consists of, besides work: messages, and what MPI needs for them;
 * allocating and copying memory. Files are something else. */
static bool redistributes(enum sis_overhead leaf)
{
	return sis_overhead_in(leaf, ODATA_COMM) || sis_overhead_in(leaf, ODATA_RMA) ||
		sis_overhead_in(leaf, ODATA_LOC) || leaf == OCTRL_MPIMGMT || leaf == OADD_QUERY;
}

/* `purpose`: that of the regions around the node; O_NONE: useful work. */
static enum sis_overhead leaf_within(enum sis_overhead own, enum sis_overhead purpose)
{
	bool moves = purpose == OCTRL_REDIST && redistributes(own);
	return own == O_NONE || moves ? purpose : own;
}

void model_find_leaves(struct experiment_model *m)
{
	enum sis_overhead *purpose = mem_alloc(m->node.n, sizeof *purpose);
	for (uint32_t i = 0; i < m->node.n; i++) { /* parents come before their children */
		uint32_t parent = m->node.at[i].parent;
		enum sis_overhead around = parent == NONE ? O_NONE : purpose[parent];
		enum sis_overhead leaf = leaf_within(region_leaf(model_region(m, i)), around);
		m->node.fill.at[i].leaf = leaf;
		purpose[i] = leaf_is_purpose(leaf) ? leaf : around;
	}
	free(purpose);
}
