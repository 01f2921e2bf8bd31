/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_nodes.h - adds the nodes of sampled functions to the profile of a process. */
#ifndef SIS_ANALYSIS_SAMPLED_NODES_H
#define SIS_ANALYSIS_SAMPLED_NODES_H

#include "experiment/sampled/measured_paths.h"

/* The paths of all processes have been found. Returns the number of samples in the profile's
 * nodes. */
uint64_t sampled_nodes_add(struct measured_paths *paths);

#endif
