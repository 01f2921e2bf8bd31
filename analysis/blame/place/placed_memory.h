/* SPDX-License-Identifier: BSD-3-Clause */
/* placed_memory.h - the memory that the samples of a run access: the places where it was allocated,
 * or the variables.
 *
 *      record of a stacks file     object
 *      allocations of one stack    the stack with its frames placed at statements
 *      address in a module         the variable there
 *      offset in a frame           the variable of the function
 *
 * Each record has an object of its own. blame/attribute/memory.c joins the objects that users see
 * as one.
 */
#ifndef SIS_ANALYSIS_PLACED_MEMORY_H
#define SIS_ANALYSIS_PLACED_MEMORY_H

#include "blame/place/place.h"

enum placed_memory_kind {
	MEMORY_HEAP,
	MEMORY_MAPPING,
	MEMORY_STATIC,
	MEMORY_STACK,
	MEMORY_THREAD_LOCAL,
	MEMORY_OTHER,             /* small allocations, memory of libraries */
	MEMORY_NONE,              /* the samples' instructions access no memory */
	MEMORY_UNKNOWN,           /* the samples' instructions may access memory; its address is not
	                           * known */
	MEMORY_KINDS
};

struct placed_object {
	enum placed_memory_kind kind;
	uint32_t stack;           /* HEAP, MAPPING: index of placed.stack; NONE: the stack is not
	                           * known */
	/* of the other kinds: the variable. A text that is not known is "" */
	char *name;
	char *function;           /* the function to which the variable is local, or whose stack it
	                           * is */
	char *type, *file;        /* type of the variable, and file of its declaration */
	uint32_t line;
	uint64_t bytes;           /* size of the variable; 0: not known */
	/* the program or library that has the data, or the innermost frame of the stack */
	char *module;
	char *path;               /* HEAP, MAPPING: the stack's functions by their symbols,
	                           * "main/solve", without those of the runtime and libc */
};

struct placed_allocation {
	uint32_t object, process, slot; /* as in struct placed_stack */
	uint64_t allocations, freed, bytes, most, largest; /* as in struct sis_memory */
	uint64_t life_ns;         /* how long memory lived: sum over the allocations that were
	                           * freed */
};

struct placed_access { uint32_t object, process, slot; uint64_t count, weight; };

struct placed_memory {
	struct placed placed;     /* the stacks of allocations; their `count` is 0 */
	VEC(struct placed_object) object;
	VEC(struct placed_allocation) allocation;
	VEC(struct placed_access) access;
	bool recorded;            /* whether the run recorded memory. If it did not, all lists are
	                           * empty */
	uint64_t least_bytes;     /* smaller allocations are not recorded; 0: no allocations are
	                           * recorded */
	uint64_t lost;            /* allocations that are missing because there was no room */
};

void placed_memory_release(struct placed_memory *memory);

#endif
