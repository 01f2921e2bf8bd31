/* SPDX-License-Identifier: BSD-3-Clause */
/* node_path.h - places a sample by its node alone, if no PC of the sample gives a frame. */
#ifndef SIS_ANALYSIS_NODE_PATH_H
#define SIS_ANALYSIS_NODE_PATH_H

#include "experiment/model/experiment.h"
#include "blame/place/place.h"
#include "blame/place/position.h"

/* Adds the frames of the node's path of regions, innermost first. Adds none if the innermost
 * function of the path was not built with --sis-blame. */
void node_path_add(struct placed *placed, const struct experiment *x,
		   const struct positions *positions, uint32_t node);

#endif
