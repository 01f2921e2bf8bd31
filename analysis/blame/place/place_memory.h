/* SPDX-License-Identifier: BSD-3-Clause */
/* place_memory.h - makes objects from a process's records of memory, for place_run.c. */
#ifndef SIS_ANALYSIS_PLACE_MEMORY_H
#define SIS_ANALYSIS_PLACE_MEMORY_H

#include "blame/place/place_run.h"
#include "experiment/code/run_modules.h"

/* The stack of record i of stacks.memory is memory->placed.stack.at[first_stack + i]. `number` is
 * that of the process in `modules`. */
void place_memory_add(struct placed_memory *memory, const struct run_modules *modules,
		      const struct place_process *process, uint32_t number, size_t first_stack);

#endif
