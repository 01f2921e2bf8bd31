/* SPDX-License-Identifier: BSD-3-Clause */
/* operand.h - the memory that an instruction accesses. x86-64. */
#ifndef SIS_OPERAND_H
#define SIS_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum sis_operand_kind {
	SIS_OPERAND_NONE,    /* it accesses no memory */
	SIS_OPERAND_MEMORY,  /* at `address` */
	SIS_OPERAND_UNKNOWN, /* at several addresses, or at one that cannot be told */
};
struct sis_operand {
	enum sis_operand_kind kind;
	uint32_t length; /* of the instruction; 0: it is not known */
	bool leaves;     /* the next instruction is not executed after it, as after JMP and CALL */
	uint64_t address;
};

/* Of the instruction at `code`, which the processor is about to execute. `registers`: the general
 * ones by their numbers in DWARF, and at 16 the address of the instruction. `thread`: the thread
 * pointer, the base of segment fs. Of an instruction with two operands in memory the one that is
 * written to counts, of PUSH and CALL the operand and not the stack. Reads no byte after the
 * instruction. */
struct sis_operand sis__operand(const uint8_t *code, const uint64_t *registers, uint64_t thread);
/* The same of an instruction that the processor has just executed, with the registers after it. If
 * it changed one that its address is made of, the address is unknown. */
struct sis_operand sis__operand_after(const uint8_t *code, const uint64_t *registers,
				      uint64_t thread);

#pragma GCC visibility pop
#endif
