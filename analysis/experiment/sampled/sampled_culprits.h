/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_culprits.h - in which functions the culprits of waits between threads were. */
#ifndef SIS_ANALYSIS_SAMPLED_CULPRITS_H
#define SIS_ANALYSIS_SAMPLED_CULPRITS_H

#include "experiment/sampled/sampled_phases.h"

/* Divides the waits in the profile among nodes of functions. `of`: by stack. */
void sampled_culprits_add(struct profile *p, const struct stacks *stacks,
			  const struct stack_nodes *of);

#endif
