/* SPDX-License-Identifier: BSD-3-Clause */
/* accesses.h - the memory that a sample has accessed. */
#ifndef SIS_ACCESSES_H
#define SIS_ACCESSES_H

#include "stacks.h"
#include "blame/stacks/instruction_before.h"
#include "blame/stacks/unwind.h"

#pragma GCC visibility push(hidden)

/* The state of a thread that is in the handler of the samples' signal. */
struct sis_interrupted {
	const struct sis_registers *registers;
	uint64_t top;           /* top of its stack; if it is on another stack: the stack pointer */
	const uint64_t *pc;     /* PCs of its frames, innermost first */
	const uint64_t *end;    /* the end of each frame; 0: not known */
	unsigned frames;
	struct sis_instructions *instructions;
};
/* Sets kind, place and offset of `access`; safe in a signal handler. */
void sis__access_find(const struct sis_interrupted *at, struct sis_access *access);

#pragma GCC visibility pop
#endif
