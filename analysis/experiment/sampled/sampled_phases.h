/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_phases.h - puts the nodes of sampled functions into the phases of a process. */
#ifndef SIS_ANALYSIS_SAMPLED_PHASES_H
#define SIS_ANALYSIS_SAMPLED_PHASES_H

#include "experiment/read/stacks_read.h"

/* The nodes of a stack. top: the measured node; node: that of the innermost function, or `top` if
 * there is none. NONE: no nodes are known. */
struct stack_nodes { uint32_t top, node; };

/* Replaces entries of phases. `of`: by stack. Nodes from `first` on are those of functions; a node
 * of a function has a higher number than the one above it. */
void sampled_phases_add(struct profile *p, uint32_t first, const struct stacks *stacks,
			const struct stack_nodes *of, double ticks_per_ns);

#endif
