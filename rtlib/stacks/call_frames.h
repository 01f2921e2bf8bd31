/* SPDX-License-Identifier: BSD-3-Clause */
/* call_frames.h - what a module's unwinding table (.eh_frame) says of a PC. x86-64. */
#ifndef SIS_CALL_FRAMES_H
#define SIS_CALL_FRAMES_H

#include "stacks/unwind.h"

#pragma GCC visibility push(hidden)

enum sis_rule_kind {
	SIS_RULE_SAME,      /* the register has the caller's value */
	SIS_RULE_UNDEFINED, /* the caller's value is lost; of the PC: there is no caller */
	SIS_RULE_AT,        /* the value is in memory, at the frame's end + offset */
	SIS_RULE_IS,        /* the value is the frame's end + offset */
	SIS_RULE_IN,        /* the value is in register `offset` */
	SIS_RULE_OTHER,     /* something that is not supported */
};
struct sis_call_frame {
	struct { uint8_t kind; int32_t offset; } rule[SIS_REGS + 1];
	uint8_t cfa_register;     /* the frame's end is this register + offset ... */
	int32_t cfa_offset;
	const uint8_t *expression; /* ... or, unless NULL, what this computes */
	uint32_t expression_length;
	uint64_t begin;           /* of the function */
	bool is_signal;           /* the kernel made the frame, for a signal handler */
};

/* The table of the module that has the PC, for sis__call_frame; NULL: none, or no such module. */
const void *sis__call_frames_of(uint64_t pc);
/* False: the table has nothing of this PC, or something that is not supported. room: of
 * SIS_CALL_FRAME_ROOM bytes, if the table may be unmapped meanwhile; else NULL. */
enum { SIS_CALL_FRAME_ROOM = 2048 };
bool sis__call_frame(const void *table, uint64_t pc, uint8_t *room, struct sis_call_frame *frame);

#pragma GCC visibility pop
#endif
