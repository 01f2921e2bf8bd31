/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - the memory that samples access, as users know it: each allocation place and each
 * variable once, over all threads and processes. */
#ifndef SIS_ANALYSIS_BLAME_MEMORY_H
#define SIS_ANALYSIS_BLAME_MEMORY_H

#include "flow/program.h"
#include "flow/routines.h"
#include "place/placed_memory.h"

/* Texts are "" if they are not known. */
struct memory_object {
	enum placed_memory_kind kind;
	char *name;                /* the pointer to it (memory_names.h), or the variable */
	char *function;            /* whose variable it is, or whose stack; "": of none */
	char *container;           /* the outermost variable that it is a part of */
	char *container_function;
	char *type;                /* of an element, or of the variable */
	char *file;                /* where it is allocated or declared */
	uint32_t line;
	char *path;                /* functions in which it is allocated */
	char *module;              /* program or library, if it has no name or is static */
	uint64_t bytes;            /* of a variable; 0: not known */
};

/* Of one object and thread. Sums do not overflow. */
struct memory_use {
	uint32_t object, process, slot;
	int64_t allocations, freed, bytes, most, largest;
	int64_t life_ns;           /* of those that were freed */
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
