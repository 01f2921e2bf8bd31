/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_calls.h - finds the places of the calls that a profile has regions of. */
#ifndef SIS_ANALYSIS_SAMPLED_CALLS_H
#define SIS_ANALYSIS_SAMPLED_CALLS_H

#include "experiment/sampled/stack_functions.h"

/* Adds the places to functions->sampled->call, and sets profile.call[].place. `number`: of the
 * process. */
void sampled_calls_add(struct stack_functions *functions, uint32_t number, struct profile *p);

#endif
