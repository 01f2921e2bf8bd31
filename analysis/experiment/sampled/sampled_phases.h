/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_phases.h - puts the nodes of sampled functions into the phases of a process. */
#ifndef SIS_ANALYSIS_SAMPLED_PHASES_H
#define SIS_ANALYSIS_SAMPLED_PHASES_H

#include "experiment/read/profile_read.h"

/* Samples in a phase of a thread. top: the measured node; node: that of the innermost function. */
struct phase_sample { uint32_t slot, phase, top, node; uint64_t count; double ticks; };
typedef VEC(struct phase_sample) phase_samples;

/* Replaces entries of phases. Nodes from `first` on are those of functions; a node of a function
 * has a higher number than the one above it. Sorts the samples. */
void sampled_phases_add(struct profile *p, uint32_t first, phase_samples *samples);

#endif
