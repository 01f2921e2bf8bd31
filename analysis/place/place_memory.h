/* SPDX-License-Identifier: BSD-3-Clause */
/* place_memory.h - makes objects of a process's records of memory. place_run.c calls it. */
#ifndef SIS_ANALYSIS_PLACE_MEMORY_H
#define SIS_ANALYSIS_PLACE_MEMORY_H

#include "place/place_run.h"
#include "place/run_modules.h"

/* The stack of record i of stacks.memory is memory->placed.stack.at[first_stack + i]. `number`: of
 * the process in `modules`. */
void place_memory_add(struct placed_memory *memory, const struct run_modules *modules,
		      const struct place_process *process, uint32_t number, size_t first_stack);

#endif
