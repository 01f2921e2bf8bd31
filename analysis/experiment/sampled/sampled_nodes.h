/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_nodes.h - adds the nodes of sampled functions to the profile of a process. */
#ifndef SIS_ANALYSIS_SAMPLED_NODES_H
#define SIS_ANALYSIS_SAMPLED_NODES_H

#include "experiment/sampled/measured_paths.h"

/* Called when the paths of all processes have been found: _begin for all processes, then _end,
 * since other processes may show where a function is. _end frees its argument, and returns the
 * number of samples in the profile's nodes. */
struct sampled_nodes;
struct sampled_nodes *sampled_nodes_begin(struct measured_paths *paths);
uint64_t sampled_nodes_end(struct sampled_nodes *nodes);

#endif
