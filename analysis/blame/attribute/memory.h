/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - the memory that samples access, as users know it: one object for each variable and
 * each place of allocation, over all threads and processes. */
#ifndef SIS_ANALYSIS_BLAME_MEMORY_H
#define SIS_ANALYSIS_BLAME_MEMORY_H

#include "blame/flow/program.h"
#include "blame/flow/routines.h"
#include "blame/place/placed_memory.h"

/* A text that is not known is "". */
struct memory_object {
	enum placed_memory_kind kind;
	char *name;                /* the variable, or the pointer to allocated memory
	                            * (memory_names.h) */
	char *function;            /* the function whose variable or stack the memory is; "": of no
	                            * function */
	char *container;           /* the outermost variable that the memory is a part of */
	char *container_function;
	char *type;                /* type of an element, or of the variable */
	char *file;                /* where the memory is allocated or the variable is declared */
	uint32_t line;
	char *path;                /* the functions of the call path that allocates the memory */
	char *module;              /* program or library, if the memory is static or has no name */
	uint64_t bytes;            /* size of a variable; 0: not known */
};

/* How one thread used one object. Sums are clamped (base/clamp.h). */
struct memory_use {
	uint32_t object, process, slot;
	int64_t allocations, freed, bytes, most, largest;
	int64_t life_ns;           /* how long memory lived: sum over the allocations that were
	                            * freed */
	int64_t samples, weight;
};

struct memory_blame {
	VEC(struct memory_object) object;
	VEC(struct memory_use) use;
};

void memory_blame_compute(struct memory_blame *memory, const struct flow_program *program,
			  const struct routines *routines, const struct placed_memory *placed);
void memory_blame_release(struct memory_blame *memory);

#endif
