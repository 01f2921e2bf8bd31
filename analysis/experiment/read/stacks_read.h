/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks_read.h - reads the samples of a process (schema/stacks.h) into arrays that are checked,
 * and linked by indices. */
#ifndef SIS_ANALYSIS_STACKS_READ_H
#define SIS_ANALYSIS_STACKS_READ_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "experiment/read/profile_read.h"
#include "stacks.h"

struct stacks_module { struct sis_stacks_module head; char *path; };

struct stacks_stack {
	size_t first;         /* the PCs are stacks.pc[first ...], innermost first */
	uint32_t frames;
	uint8_t kind, flags;  /* enum sis_stack_kind, enum sis_stack_flag */
	uint32_t slot;        /* SIS_NO_SLOT: none */
	uint64_t node;        /* address for profile_node_at(); 0: none */
	uint32_t origin;      /* index; NONE: none. Origins form no cycle */
	uint64_t origin_at;   /* offset of the origin in the file */
	uint64_t count, weight;
	uint64_t at;          /* offset in the file */
};

struct stacks_memory {
	struct sis_memory in;
	uint32_t stack;       /* index; NONE: none */
	uint64_t at;          /* offset in the file */
};

struct stacks_access {
	struct sis_access in;
	uint32_t memory;      /* SIS_ACCESS_ALLOCATED: index; NONE: the file does not have it */
};

/* A function that the program has generated, from address `start` to `end`. */
struct stacks_generated { uint64_t start, end; char *name; };

/* Samples of a stack that were taken one after the other, from `first` to `last` (ticks). */
struct stacks_moments { uint64_t first, last; uint32_t stack, count; };

struct stacks {
	char *path;
	struct sis_stacks_header head;
	VEC(struct stacks_stack) stack; /* in the order of the file */
	VEC(uint64_t) pc;     /* with the bit SIS_PC_EXACT */
	VEC(struct stacks_module) module;
	VEC(struct sis_sampled) sampled;
	VEC(struct stacks_memory) memory; /* in the order of the file */
	VEC(struct stacks_access) access;
	VEC(struct stacks_moments) moments; /* stack: index */
	VEC(struct stacks_generated) generated; /* sorted by address; none overlaps another one */
	VEC(char *) method;   /* texts `method` of the file */
	VEC(char *) warning;
};

/* A result of stacks_read: the process was killed while it created the file. */
enum { STACKS_UNWRITTEN = 1 };

/* An entry has at most this count and weight. Larger numbers are damage. They could make sums
 * overflow. */
#define STACKS_MOST_COUNT ((uint64_t)1 << 40)
#define STACKS_MOST_WEIGHT ((uint64_t)1 << 60)

/* Reads and checks the whole file. Returns 0, STACKS_UNWRITTEN or an error. `stacks` needs a
 * release only if the result is 0. */
int stacks_read(struct stacks *stacks, const char *path, struct err *err);
/* Reads and checks samples in memory, which still belongs to the caller. */
int stacks_parse(struct stacks *stacks, const char *path, const unsigned char *bytes, size_t size,
		 struct err *err);
void stacks_release(struct stacks *stacks);
/* The module at an address of the process; NULL if there is none. *sure becomes false if different
 * modules were there at different times. */
const struct stacks_module *stacks_module_at(const struct stacks *stacks, uint64_t address,
					     bool *sure);
/* The generated function at an address of the process; NULL if there is none. */
const struct stacks_generated *stacks_generated_at(const struct stacks *stacks, uint64_t address);
/* Whether a name in the directory of a run is that of a file of samples. */
bool stacks_is_name(const char *name);

#endif
