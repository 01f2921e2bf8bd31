/* SPDX-License-Identifier: BSD-3-Clause */
/* node_path.h - places a sample by its node alone, when no PC of it is known. */
#ifndef SIS_ANALYSIS_NODE_PATH_H
#define SIS_ANALYSIS_NODE_PATH_H

#include "model/experiment.h"
#include "place/place.h"
#include "place/position.h"

/* Adds the frames of the node's path of regions, innermost first. None, if the innermost function
 * of the path was not built with --sis-blame. */
void node_path_add(struct placed *placed, const struct experiment *x,
		   const struct positions *positions, uint32_t node);

#endif
