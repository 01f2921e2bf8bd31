/* SPDX-License-Identifier: BSD-3-Clause */
/* instruction_before.h - the instruction before another one, in the text of a module. x86-64. */
#ifndef SIS_INSTRUCTION_BEFORE_H
#define SIS_INSTRUCTION_BEFORE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { SIS_INSTRUCTIONS = 1024 };
struct sis_instructions { /* earlier answers, by a hash of the address */
	struct { uint64_t pc; uint32_t before, reserved; } known[SIS_INSTRUCTIONS];
};

/* Returns the address of the instruction before `pc`. Returns 0 if this address is not known, or if
 * `pc` is not executed after that instruction. Safe in a signal handler; each thread has its own
 * `instructions`. */
uint64_t sis__instruction_before(struct sis_instructions *instructions, uint64_t pc);

#pragma GCC visibility pop
#endif
