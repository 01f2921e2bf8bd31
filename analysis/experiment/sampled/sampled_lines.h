/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_lines.h - adds up the samples of a process by line of the source. */
#ifndef SIS_ANALYSIS_SAMPLED_LINES_H
#define SIS_ANALYSIS_SAMPLED_LINES_H

#include "experiment/sampled/stack_functions.h"

/* Adds to functions->sampled->line. `number`: of the process. */
void sampled_lines_add(struct stack_functions *functions, uint32_t number,
		       const struct stacks *stacks);

#endif
