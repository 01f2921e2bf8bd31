/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind.h - the call stack above an interrupted instruction. */
#ifndef SIS_UNWIND_H
#define SIS_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#pragma GCC visibility push(hidden)

/* DWARF's numbers of the registers of x86-64. On other processors only three are used: the frame
 * pointer, the stack pointer and the PC. */
enum { SIS_REG_BX = 3, SIS_REG_FP = 6, SIS_REG_SP = 7, SIS_REG_PC = 16, SIS_REGS };

struct sis_registers {
	uint64_t value[SIS_REGS];
	uint32_t known; /* bit r: value[r] is known */
};

enum { SIS_UNWIND_RULES = 1024 };
/* A remembered rule for leaving the frame at a PC. 32 bytes. */
struct sis_unwind_rule {
	uint64_t pc;            /* 0: this element is free */
	const void *table;      /* the table that the rule comes from */
	int32_t cfa_offset;     /* the frame's end is cfa_register + cfa_offset */
	uint8_t cfa_register;
	uint8_t saved;          /* bit i: register callee_saved[i] is in the frame, ... */
	int8_t at[6];           /* ... at the frame's end + 8 * at[i] */
};
struct sis_unwind_rules {
	struct sis_unwind_rule rule[SIS_UNWIND_RULES];
};

struct sis_unwound {
	unsigned frames;
	/* frames up to the one that called the task's function; outside of tasks, all frames */
	unsigned inner;
	bool complete; /* the last frame is the outermost one, or called the task's function */
	bool guessed;  /* a frame pointer was used, so a caller may be missing */
};

void sis__registers_of(const ucontext_t *context, struct sis_registers *registers);

/* The memory of a stack, from the stack pointer to `top`.
 * shift: each address is read at address + shift; not 0 if a copy of the stack is read.
 * task: an address in the frame that called the function of a task; 0: none.
 * inner: the walk ends at that frame.
 * room: for sis__call_frame, if the stack is another thread's; NULL: it is the calling thread's. */
struct sis_stack_memory { uint64_t top, shift, task; bool inner; uint8_t *room; };

/* Fills pc[0 .. most - 1], innermost first. pc[0] is the PC of the registers; it is a return
 * address unless `exact` is true. PCs that are not return addresses get SIS_PC_EXACT (stacks.h). If
 * `ends` is not NULL, ends[i] gets the end of frame i (its canonical frame address); 0: not known.
 * Nothing outside the stack's memory is read. Safe in a signal handler; takes no lock. */
struct sis_unwound sis__unwind_stack(struct sis_unwind_rules *rules,
				     const struct sis_registers *from,
				     struct sis_stack_memory stack, bool exact,
				     uint64_t *pc, uint64_t *ends, unsigned most);

#pragma GCC visibility pop
#endif
