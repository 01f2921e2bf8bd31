/* SPDX-License-Identifier: BSD-3-Clause */
/* node_leaves.h - the leaf of the overhead tree that the time of a node belongs to. */
#ifndef SIS_ANALYSIS_NODE_LEAVES_H
#define SIS_ANALYSIS_NODE_LEAVES_H

#include "model/experiment.h"

/* Whether the leaf is what work is done for, so that all work below a region with it belongs to
 * it. */
static inline bool leaf_is_purpose(enum sis_overhead leaf)
{
	return leaf == OCTRL_REDIST || leaf == OADD_PRIV || leaf == OADD_RED;
}

/* Fills `leaf` of all nodes. Called again after the leaf of a region has changed. */
void model_find_leaves(struct experiment_model *m);

#endif
