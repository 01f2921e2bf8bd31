/* SPDX-License-Identifier: BSD-3-Clause */
/* instruction.h - an instruction of x86-64, decoded as far as operand.c needs. */
#ifndef SIS_INSTRUCTION_H
#define SIS_INSTRUCTION_H

#include "blame/memory/operand_scale.h"

#pragma GCC visibility push(hidden)

/* Numbers of registers in instructions. DWARF has other numbers, and one for the PC. */
enum { SIS_AX, SIS_CX, SIS_DX, SIS_BX, SIS_SP, SIS_BP, SIS_SI, SIS_DI };
enum { SIS_PC = 16 };

enum sis_opcode_map { SIS_MAP_ONE, SIS_MAP_0F, SIS_MAP_0F38, SIS_MAP_0F3A };
enum sis_coding { SIS_LEGACY, SIS_VEX, SIS_EVEX };

/* The caller sets the first four members, and `executed`. */
struct sis_instruction {
	const uint8_t *code, *at;      /* the begin of the instruction; the next byte to decode */
	const uint64_t *registers;
	uint64_t thread;
	/* the prefixes */
	bool operand_size, address_size, repeat, repeat_not, fs, gs;
	bool wide;                     /* bit W */
	uint8_t reg_high, index_high, base_high; /* bits R, X, B: 8 if set, else 0 */
	enum sis_coding coding;
	struct sis_evex evex;          /* for VEX only map, prefix and opcode */
	enum sis_opcode_map map;
	uint8_t opcode;
	/* the operand */
	bool is_memory;                /* ModRM names no register */
	uint8_t mod, reg;
	/* the address: is relative to the PC; has the stack pointer as base; is unknown, because
	 * there are several, or because it contains the base of a segment */
	bool is_relative, is_of_stack, is_unknown;
	uint32_t made_of;              /* bit r: register r is part of the address */
	bool executed;                 /* `registers` are those after the instruction */
	bool has_address;              /* its immediate is an address */
	bool implied;                  /* `address` does not come from ModRM, and is complete */
	uint64_t address;              /* without the PC and the base of a segment */
};

/* Decodes up to the end of the immediate. Returns false if the instruction is not known. */
bool sis__instruction_decode(struct sis_instruction *d);
/* The value of a register that is part of the address. */
uint64_t sis__instruction_value(struct sis_instruction *d, unsigned number);

#pragma GCC visibility pop
#endif
