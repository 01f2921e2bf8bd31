/* SPDX-License-Identifier: BSD-3-Clause */
/* operand.h - the memory that an instruction accesses. x86-64. */
#ifndef SIS_OPERAND_H
#define SIS_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum sis_operand_kind {
	SIS_OPERAND_NONE,    /* the instruction accesses no memory */
	SIS_OPERAND_MEMORY,  /* it accesses memory at `address` */
	SIS_OPERAND_UNKNOWN, /* it accesses several addresses, or one that cannot be computed */
};
struct sis_operand {
	enum sis_operand_kind kind;
	uint32_t length; /* length of the instruction; 0: not known */
	bool leaves;     /* the next instruction is not executed after it, as after JMP and CALL */
	uint64_t address;
};

/* The operand of the instruction at `code`, which the processor is about to execute. `registers`:
 * the general registers by their numbers in DWARF, and at 16 the address of the instruction.
 * `thread`: the thread pointer, which is the base of segment fs. If an instruction has two operands
 * in memory, the one that it writes to counts. For PUSH and CALL the explicit operand counts, and
 * not the stack. No byte after the instruction is read. */
struct sis_operand sis__operand(const uint8_t *code, const uint64_t *registers, uint64_t thread);
/* The operand of an instruction that the processor has just executed. `registers` have the values
 * after the instruction. If the instruction changed a register that is part of its address, the
 * address is unknown. */
struct sis_operand sis__operand_after(const uint8_t *code, const uint64_t *registers,
				      uint64_t thread);

#pragma GCC visibility pop
#endif
