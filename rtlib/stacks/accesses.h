/* SPDX-License-Identifier: BSD-3-Clause */
/* accesses.h - what memory a sample is of. */
#ifndef SIS_ACCESSES_H
#define SIS_ACCESSES_H

#include "stacks.h"
#include "stacks/instruction_before.h"
#include "stacks/unwind.h"

#pragma GCC visibility push(hidden)

/* Of the thread that is in the handler of the signal now. */
struct sis_interrupted {
	const struct sis_registers *registers;
	uint64_t top;           /* of its stack; the stack pointer: it is on another one */
	const uint64_t *pc;     /* its frames, innermost first */
	const uint64_t *end;    /* of each frame; 0: not known */
	unsigned frames;
	struct sis_instructions *instructions;
};
/* Sets kind, place and offset; safe in a signal handler. */
void sis__access_find(const struct sis_interrupted *at, struct sis_access *access);

#pragma GCC visibility pop
#endif
