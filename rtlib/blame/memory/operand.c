/* SPDX-License-Identifier: BSD-3-Clause */
/* operand.c - which memory an instruction accesses, computed from its bytes and the registers
 * alone. Runs in the handler of the samples' signal.
 *
 * An address that is relative to the PC is relative to the end of the instruction. So the whole
 * instruction is decoded, with the immediate.
 * LIMIT: for string instructions with two operands, only one address is known; for gathers, none is
 * known.
 * LIMIT: the base of segment gs is unknown.
 */
#include "blame/memory/instruction.h"
#include "blame/memory/operand.h"

static uint64_t value(struct sis_instruction *d, unsigned number)
{
	return sis__instruction_value(d, number);
}

/* -- what is accessed -------------------------------------------------------------------------- */

static void imply(struct sis_instruction *d, uint64_t address)
{
	d->implied = true;
	d->address = address;
}

/* These two functions return the address to which a word is pushed, or from which a word is popped.
 */
static uint64_t pushed(struct sis_instruction *d)
{
	return d->executed ? value(d, SIS_SP) : value(d, SIS_SP) - 8;
}

static uint64_t popped(struct sis_instruction *d)
{
	return d->executed ? value(d, SIS_SP) - 8 : value(d, SIS_SP);
}

/* An address in the element that a string instruction accesses. If the instruction was executed,
 * this is the last element. */
static uint64_t element(struct sis_instruction *d, unsigned number)
{
	return d->executed ? value(d, number) - 1 : value(d, number);
}

static uint64_t with_segment(struct sis_instruction *d, uint64_t address)
{
	if (d->address_size)
		address = (uint32_t)address;
	d->is_unknown |= d->gs;
	return d->fs ? address + d->thread : address;
}

/* Finds the implied operands of instructions whose ModRM names a register, or that have no ModRM.
 */
static void imply_of_one(struct sis_instruction *d)
{
	uint8_t op = d->opcode;
	if (op >= 0x50 && op <= 0x57)
		imply(d, pushed(d));
	else if (op >= 0x58 && op <= 0x5f)
		imply(d, popped(d));
	switch (op) {
	case 0x68: case 0x6a: case 0x9c: case 0xc8: case 0xe8: /* PUSH PUSHF ENTER CALL */
		imply(d, pushed(d));
		break;
	case 0x8f: case 0x9d: case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcf: /* POP RET */
		imply(d, popped(d));
		break;
	case 0xc9: /* LEAVE */
		imply(d, d->executed ? popped(d) : value(d, SIS_BP));
		break;
	case 0xff:
		if ((d->reg & 7) == 2 || (d->reg & 7) == 6) /* CALL PUSH */
			imply(d, pushed(d));
		break;
	case 0x6c: case 0x6d: case 0xa4: case 0xa5: case 0xaa: case 0xab: case 0xae: case 0xaf:
		imply(d, d->address_size ? (uint32_t)element(d, SIS_DI) : element(d, SIS_DI));
		break;
	case 0x6e: case 0x6f: case 0xa6: case 0xa7: case 0xac: case 0xad:
		imply(d, with_segment(d, element(d, SIS_SI)));
		break;
	case 0xd7: /* XLAT */
		imply(d, with_segment(d, value(d, SIS_BX) + (value(d, SIS_AX) & 0xff)));
		break;
	}
}

static void imply_of_0f(struct sis_instruction *d)
{
	switch (d->opcode) {
	case 0xa0: case 0xa8: /* PUSH */
		imply(d, pushed(d));
		break;
	case 0xa1: case 0xa9: /* POP */
		imply(d, popped(d));
		break;
	case 0xf7: /* MASKMOVQ, MASKMOVDQU */
		imply(d, with_segment(d, value(d, SIS_DI)));
		break;
	}
}

/* Whether the instruction does not access its operand: it only uses the address, or is a hint. */
static bool is_only_named(const struct sis_instruction *d)
{
	unsigned extension = d->reg & 7;
	if (d->map == SIS_MAP_ONE)
		return d->opcode == 0x8d; /* LEA */
	if (d->map != SIS_MAP_0F || d->coding != SIS_LEGACY)
		return false;
	if (d->opcode == 0x0d || (d->opcode >= 0x18 && d->opcode <= 0x1f)) /* prefetch, NOP */
		return true;
	if (d->opcode == 0xae) /* CLFLUSH CLFLUSHOPT CLWB */
		return extension == 7 || (extension == 6 && d->operand_size);
	return d->opcode == 0xb9 || d->opcode == 0xff || (d->opcode == 0x01 && extension == 7);
}

/* Whether the instruction has several addresses, one for each element of a vector or row of a tile.
 */
static bool has_many(const struct sis_instruction *d)
{
	uint8_t op = d->opcode;
	if (d->map != SIS_MAP_0F38 || d->coding == SIS_LEGACY ||
	    (d->coding == SIS_EVEX && d->evex.map != 2))
		return false;
	if (op >= 0x90 && op <= 0x93)
		return true;
	return d->coding == SIS_VEX ? op == 0x4a || op == 0x4b
				: (op >= 0xa0 && op <= 0xa3) || op == 0xc6 || op == 0xc7;
}

/* BT BTS BTR BTC: if a register has the number of the bit, the bit may be far outside of the
 * operand. */
static void add_bits(struct sis_instruction *d)
{
	uint8_t op = d->opcode;
	if (d->map != SIS_MAP_0F || d->coding != SIS_LEGACY ||
	    (op != 0xa3 && op != 0xab && op != 0xb3 && op != 0xbb))
		return;
	int64_t bit = (int64_t)value(d, d->reg);
	if (d->wide)
		d->address += (uint64_t)((bit >> 6) * 8);
	else if (d->operand_size)
		d->address += (uint64_t)(((int16_t)bit >> 4) * 2);
	else
		d->address += (uint64_t)(int64_t)(((int32_t)bit >> 5) * 4);
}

static void find_operand(struct sis_instruction *d)
{
	if (d->has_address) {
		imply(d, with_segment(d, d->address));
		return;
	}
	if (!d->is_memory) {
		if (d->map == SIS_MAP_ONE)
			imply_of_one(d);
		else if (d->map == SIS_MAP_0F)
			imply_of_0f(d);
		return;
	}
	if (d->is_relative)
		d->address += d->registers[SIS_PC] + (uint64_t)(d->at - d->code);
	if (d->map == SIS_MAP_ONE && d->opcode == 0x8f && d->is_of_stack && !d->executed)
		d->address += 8; /* POP computes the address after it changed the stack pointer */
	add_bits(d);
	d->is_unknown |= has_many(d);
	d->address = with_segment(d, d->address);
}

/* -- an instruction that was executed ---------------------------------------------------------- */

/* Whether an opcode of one byte with a ModRM leaves the register of the ModRM as it is. */
static bool keeps_register(uint8_t op)
{
	if (op < 0x40)
		return (op & 7) < 2 || op >= 0x38;
	return (op >= 0x80 && op <= 0x85) || op == 0x88 || op == 0x89 || op == 0x8c || op == 0x8f ||
	       op == 0x8e || op >= 0xc0;
}

/* Whether an opcode after 0F writes to a general register. */
static bool changes_register_of_0f(uint8_t op)
{
	return op == 0x02 || op == 0x03 || op == 0x2c || op == 0x2d || (op & 0xf0) == 0x40 ||
	       op == 0xaf || op == 0xb6 || op == 0xb7 || op == 0xb8 || (op >= 0xbc && op <= 0xc1);
}

static uint32_t changed_registers(const struct sis_instruction *d)
{
	uint32_t own = 1u << (d->reg & 15);
	uint8_t op = d->opcode;
	switch (d->map) {
	case SIS_MAP_ONE:
		if ((op == 0xf6 || op == 0xf7) && (d->reg & 7) >= 4) /* MUL DIV */
			return 1u << SIS_AX | 1u << SIS_DX;
		if (op == 0x8f || (op == 0xff && (d->reg & 7) == 6)) /* POP PUSH */
			return 1u << SIS_SP;
		return keeps_register(op) ? 0 : own;
	case SIS_MAP_0F:
		if (d->coding != SIS_LEGACY)
			return op == 0x2c || op == 0x2d ? own : 0;
		if (op == 0xb0 || op == 0xb1 || op == 0xc7) /* CMPXCHG */
			return 1u << SIS_AX | 1u << SIS_DX;
		return changes_register_of_0f(op) ? own : 0;
	default: /* MOVBE CRC32 RORX and the like; the prefix may name the register */
		return op < 0xf0 ? 0 : d->coding == SIS_LEGACY ? own : UINT32_MAX;
	}
}

/* Whether the instruction is JMP, CALL, RET, UD2 or the like. */
static bool leaves(const struct sis_instruction *d)
{
	uint8_t op = d->opcode, extension = d->reg & 7;
	if (d->map == SIS_MAP_0F)
		return d->coding == SIS_LEGACY &&
			(op == 0x0b || op == 0x05 || op == 0x07 || op == 0x34);
	if (d->map != SIS_MAP_ONE)
		return false;
	return op == 0xe8 || op == 0xe9 || op == 0xeb || op == 0xc2 || op == 0xc3 || op == 0xca ||
	       (op >= 0xcb && op <= 0xcf) || op == 0xf4 ||
	       (op == 0xff && extension >= 2 && extension <= 5);
}

/* -- an instruction ---------------------------------------------------------------------------- */

static struct sis_operand decode(struct sis_instruction *d)
{
	struct sis_operand result = { .kind = SIS_OPERAND_UNKNOWN };
	if (!sis__instruction_decode(d))
		return result;
	find_operand(d);
	bool is_memory = d->implied || (d->is_memory && !is_only_named(d));
	bool has_changed_address = d->executed && d->is_memory &&
				   (d->made_of & changed_registers(d)) != 0;
	result.length = (uint32_t)(d->at - d->code);
	result.leaves = leaves(d);
	result.address = is_memory ? d->address : 0;
	result.kind = !is_memory ? SIS_OPERAND_NONE
		      : d->is_unknown || has_changed_address ? SIS_OPERAND_UNKNOWN
							     : SIS_OPERAND_MEMORY;
	return result;
}

struct sis_operand sis__operand(const uint8_t *code, const uint64_t *registers, uint64_t thread)
{
	struct sis_instruction d = { .code = code, .at = code, .registers = registers,
				     .thread = thread };
	return decode(&d);
}

struct sis_operand sis__operand_after(const uint8_t *code, const uint64_t *registers,
				      uint64_t thread)
{
	struct sis_instruction d = { .code = code, .at = code, .registers = registers,
				     .thread = thread,
			     .executed = true };
	return decode(&d);
}
