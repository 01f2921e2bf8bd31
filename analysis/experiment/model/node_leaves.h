/* SPDX-License-Identifier: BSD-3-Clause */
/* node_leaves.h - the leaf of the overhead tree to which the exclusive time of a node belongs. */
#ifndef SIS_ANALYSIS_NODE_LEAVES_H
#define SIS_ANALYSIS_NODE_LEAVES_H

#include "experiment/model/experiment.h"

/* Fills `leaf` of all nodes. Must be called again after the leaf of a region has changed. */
void model_find_leaves(struct experiment_model *m);

#endif
