/* SPDX-License-Identifier: BSD-3-Clause */
/* call_frames.h - reads what a module's unwinding table (.eh_frame) says about a PC. x86-64 only.
 */
#ifndef SIS_CALL_FRAMES_H
#define SIS_CALL_FRAMES_H

#include "blame/stacks/unwind.h"

#pragma GCC visibility push(hidden)

enum sis_rule_kind {
	SIS_RULE_SAME,      /* the register has the caller's value */
	SIS_RULE_UNDEFINED, /* the caller's value is lost; for the PC: there is no caller */
	SIS_RULE_AT,        /* the value is in memory, at the frame's end + offset */
	SIS_RULE_IS,        /* the value is the frame's end + offset */
	SIS_RULE_IN,        /* the value is in register `offset` */
	SIS_RULE_OTHER,     /* something that is not supported */
};
struct sis_call_frame {
	struct { uint8_t kind; int32_t offset; } rule[SIS_REGS + 1];
	uint8_t cfa_register;     /* the frame's end is this register + cfa_offset ... */
	int32_t cfa_offset;
	const uint8_t *expression; /* ... or, unless NULL, the value of this expression */
	uint32_t expression_length;
	uint64_t begin;           /* address at which the function begins */
	bool is_signal;           /* the kernel made the frame, for a signal handler */
};

/* Returns the table of the module that contains the PC, for sis__call_frame. Returns NULL if there
 * is no such module, or if it has no table. */
const void *sis__call_frames_of(uint64_t pc);
/* Finds the rules of the PC. Returns false if the table has no rules for the PC, or if they are not
 * supported. room: SIS_CALL_FRAME_ROOM bytes if another thread may unmap the table during the call;
 * else NULL. */
enum { SIS_CALL_FRAME_ROOM = 2048 };
bool sis__call_frame(const void *table, uint64_t pc, uint8_t *room, struct sis_call_frame *frame);

#pragma GCC visibility pop
#endif
