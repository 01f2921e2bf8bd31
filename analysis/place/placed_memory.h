/* SPDX-License-Identifier: BSD-3-Clause */
/* placed_memory.h - the memory that the samples of a run access: where it was allocated, or which
 * variable it is.
 *
 *      record of a stacks file     object
 *      allocations of one stack    the stack with its frames placed at statements
 *      address in a module         the variable there
 *      place in a frame            the variable of the function
 *
 * Each record has an object of its own; blame/memory.c joins those that users see as one. */
#ifndef SIS_ANALYSIS_PLACED_MEMORY_H
#define SIS_ANALYSIS_PLACED_MEMORY_H

#include "place/place.h"

enum placed_memory_kind {
	MEMORY_HEAP,
	MEMORY_MAPPING,
	MEMORY_STATIC,
	MEMORY_STACK,
	MEMORY_THREAD_LOCAL,
	MEMORY_OTHER,             /* small allocations, memory of libraries */
	MEMORY_NONE,              /* the instructions access no memory */
	MEMORY_UNKNOWN,           /* they may, and the address is not known */
	MEMORY_KINDS
};

struct placed_object {
	enum placed_memory_kind kind;
	uint32_t stack;           /* HEAP, MAPPING: of placed.stack; NONE: it is not known */
	/* of the others: the variable. Texts may be "" */
	char *name;
	char *function;           /* that it is local to, or whose stack it is */
	char *type, *file;        /* of its declaration */
	uint32_t line;
	uint64_t bytes;           /* 0: not known */
	/* the program or library: of data, or of the innermost frame of the stack */
	char *module;
	char *path;               /* HEAP, MAPPING: functions of the stack as symbols name them,
	                           * "main/solve"; those of the runtime and libc are left out */
};

struct placed_allocation {
	uint32_t object, process, slot; /* as in struct placed_stack */
	uint64_t allocations, freed, bytes, most, largest; /* as in struct sis_memory */
	uint64_t life_ns;         /* of all that were freed */
};

struct placed_access { uint32_t object, process, slot; uint64_t count, weight; };

struct placed_memory {
	struct placed placed;     /* stacks of allocations; their `count` is 0 */
	VEC(struct placed_object) object;
	VEC(struct placed_allocation) allocation;
	VEC(struct placed_access) access;
	bool recorded;            /* the run recorded memory; else all is empty */
	uint64_t least_bytes;     /* smaller allocations are not recorded; 0: none is */
	uint64_t lost;            /* allocations that found no room */
};

void placed_memory_release(struct placed_memory *memory);

#endif
