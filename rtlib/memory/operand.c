/* SPDX-License-Identifier: BSD-3-Clause */
/* operand.c - decodes an instruction of x86-64 as far as its length and its operand in memory need.
 * The handler of the samples' signal. A pure function of the bytes and the registers.
 *
 *      prefixes   opcode                  ModRM SIB displacement   immediate
 *      66 F2 64   80                      form of the operand      its size follows from the
 *      REX        0F 80 / 0F 38 / 0F 3A                            opcode
 *      VEX EVEX   80
 *
 * An address that is relative to the PC begins at the end of the instruction, so the immediate
 * counts, too. Bytes are read one by one: the page after the instruction may not be readable.
 * LIMIT: of string instructions with two operands and of gathers, one address or none is known.
 * LIMIT: instructions with prefix XOP or REX2, and of segment gs, are unknown.
 */
#include "memory/operand.h"
#include "memory/operand_scale.h"

/* Numbers of registers in instructions. */
enum { AX, CX, DX, BX, SP, BP, SI, DI };
static const uint8_t in_dwarf[16] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };
enum { PC = 16 };

enum map { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A };
enum coding { LEGACY, VEX, EVEX };

struct decoder {
	const uint8_t *code, *at;      /* its begin, the next byte */
	const uint64_t *registers;
	uint64_t thread;
	/* the prefixes */
	bool operand_size, address_size, repeat, repeat_not, fs, gs;
	bool wide;                     /* W */
	uint8_t reg_high, index_high, base_high; /* 8 or 0: R, X, B */
	enum coding coding;
	struct sis_evex evex;          /* EVEX: all; VEX: map, prefix, opcode */
	enum map map;
	uint8_t opcode;
	/* the operand */
	bool is_memory;                /* ModRM names no register */
	uint8_t mod, reg;
	/* from the PC; from the stack pointer; by several numbers, or by a segment's base */
	bool is_relative, is_of_stack, is_unknown;
	uint32_t made_of;              /* bit r: register r is part of the address */
	bool executed;                 /* the registers are those after it */
	uint64_t address;
	bool implied;                  /* `address` does not come from ModRM, and is complete */
};

static uint8_t next(struct decoder *d)
{
	return *d->at++;
}

static uint64_t value(struct decoder *d, unsigned number)
{
	d->made_of |= 1u << (number & 15);
	return d->registers[in_dwarf[number & 15]];
}

/* -- prefixes ---------------------------------------------------------------------------------- */

static bool is_prefix(struct decoder *d, uint8_t byte)
{
	switch (byte) {
	case 0x66: return d->operand_size = true;
	case 0x67: return d->address_size = true;
	case 0xf2: return d->repeat_not = true;
	case 0xf3: return d->repeat = true;
	case 0x64: d->gs = false; return d->fs = true;
	case 0x65: d->fs = false; return d->gs = true;
	case 0xf0: case 0x2e: case 0x36: case 0x3e: case 0x26: return true;
	}
	return false;
}

static void take_rex(struct decoder *d, uint8_t rex)
{
	d->wide = rex & 8;
	d->reg_high = (uint8_t)((rex & 4) << 1);
	d->index_high = (uint8_t)((rex & 2) << 2);
	d->base_high = (uint8_t)((rex & 1) << 3);
}

/* R, X and B are inverted there. */
static void take_inverted(struct decoder *d, uint8_t byte)
{
	take_rex(d, (uint8_t)(~byte >> 5 & 7));
}

static bool take_vex(struct decoder *d, uint8_t first)
{
	uint8_t byte = next(d), map = MAP_0F;
	d->coding = VEX;
	take_inverted(d, first == 0xc4 ? byte : byte | 0x60);
	if (first == 0xc4) {
		map = byte & 0x1f;
		byte = next(d);
		d->wide = byte >> 7;
	}
	d->evex.prefix = byte & 3;
	d->map = (enum map)map;
	return map >= MAP_0F && map <= MAP_0F3A;
}

static bool take_evex(struct decoder *d)
{
	uint8_t first = next(d), second = next(d), third = next(d);
	d->coding = EVEX;
	take_inverted(d, first);
	d->wide = second >> 7;
	d->evex = (struct sis_evex){ .map = first & 7, .prefix = second & 3, .wide = d->wide,
				     .broadcast = third >> 4 & 1,
				     .bytes = (uint8_t)(16 << (third >> 5 & 3)) };
	if ((third >> 5 & 3) == 3)
		d->evex.bytes = 64;
	unsigned map = first & 7u;
	d->map = map > MAP_0F3A ? MAP_0F38 : (enum map)map; /* 5 and 6 have no immediates either */
	return (second & 4) && !(first & 8) && map != 0 && map != 4 && map != 7;
}

/* Up to the opcode. False: not known. */
static bool take_opcode(struct decoder *d)
{
	enum { LONGEST = 14 };
	uint8_t byte = next(d);
	while (is_prefix(d, byte)) {
		if (d->at - d->code > LONGEST)
			return false;
		byte = next(d);
	}
	if ((byte & 0xf0) == 0x40) {
		take_rex(d, byte);
		byte = next(d);
	} else if (byte == 0xc4 || byte == 0xc5 || byte == 0x62) {
		if (!(byte == 0x62 ? take_evex(d) : take_vex(d, byte)))
			return false;
		d->opcode = next(d);
		return true;
	}
	if (byte == 0x0f) {
		byte = next(d);
		d->map = byte == 0x38 ? MAP_0F38 : byte == 0x3a ? MAP_0F3A : MAP_0F;
		if (d->map != MAP_0F)
			byte = next(d);
	}
	d->opcode = byte;
	return true;
}

/* -- opcodes ----------------------------------------------------------------------------------- */

/* m: a ModRM follows, . it does not, - there is no such instruction. */
static const char of_one[] =
	"mmmm..--mmmm..--" "mmmm..--mmmm..--" "mmmm..--mmmm..--" "mmmm..--mmmm..--"
	"----------------" "................" "---m----.m.m...." "................"
	"mm-mmmmmmmmmmmmm" "..........-....." "................" "................"
	"mm..--mm......-." "mmmm---.mmmmmmmm" "..........-....." "-.--..mm......mm";
static const char of_0f[] =
	"mmmm-.....-.-m.m" "mmmmmmmmmmmmmmmm" "mmmm----mmmmmmmm" "......-.--------"
	"mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmm.mmmmmmmm"
	"................" "mmmmmmmmmmmmmmmm" "...mmmmm...mmmmm" "mmmmmmmmmmmmmmmm"
	"mmmmmmmm........" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm";

static char form(const struct decoder *d)
{
	if (d->map == MAP_ONE)
		return of_one[d->opcode];
	if (d->map == MAP_0F && d->coding == LEGACY)
		return of_0f[d->opcode];
	return d->map == MAP_0F && d->opcode == 0x77 ? '.' : 'm';
}

/* -- ModRM ------------------------------------------------------------------------------------- */

static uint64_t displacement(struct decoder *d, unsigned bytes)
{
	uint64_t number = 0;
	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)next(d) << 8 * i;
	return bytes == 1 ? (uint64_t)(int8_t)number : (uint64_t)(int32_t)number;
}

static uint64_t short_displacement(struct decoder *d)
{
	uint64_t number = displacement(d, 1);
	if (d->coding != EVEX)
		return number;
	d->evex.opcode = d->opcode;
	d->evex.extension = d->reg & 7;
	unsigned scale = sis__operand_scale(&d->evex);
	d->is_unknown |= scale == 0;
	return number * scale;
}

/* Base and index; true: there is no base, but a displacement of four bytes. */
static bool take_sib(struct decoder *d)
{
	uint8_t sib = next(d);
	unsigned index = (sib >> 3 & 7u) | d->index_high;
	bool no_base = (sib & 7) == BP && d->mod == 0;
	d->is_of_stack = (sib & 7) == SP && d->base_high == 0;
	if (index != SP)
		d->address += value(d, index) << (sib >> 6);
	if (!no_base)
		d->address += value(d, (sib & 7u) | d->base_high);
	return no_base;
}

static void take_modrm(struct decoder *d)
{
	uint8_t byte = next(d), rm = byte & 7;
	bool no_base = false;
	d->mod = byte >> 6;
	d->reg = (byte >> 3 & 7) | d->reg_high;
	bool is_control = d->map == MAP_0F && (d->opcode & 0xfc) == 0x20; /* has registers only */
	d->is_memory = d->mod != 3 && !is_control;
	if (!d->is_memory)
		return;
	if (rm == SP)
		no_base = take_sib(d);
	else if (rm == BP && d->mod == 0)
		d->is_relative = no_base = true;
	else
		d->address += value(d, rm | d->base_high);
	if (d->mod == 1)
		d->address += short_displacement(d);
	else if (d->mod == 2 || no_base)
		d->address += displacement(d, 4);
}

/* -- immediates -------------------------------------------------------------------------------- */

/* Bytes of an immediate that has the size of the operand, but at most four. */
static unsigned immediate_z(const struct decoder *d)
{
	return d->operand_size && !d->wide ? 2 : 4;
}

static unsigned immediate_of_one(const struct decoder *d)
{
	uint8_t op = d->opcode;
	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? immediate_z(d) : 0;
	if ((op >= 0x70 && op <= 0x7f) || (op >= 0xb0 && op <= 0xb7) || (op >= 0xe0 && op <= 0xe7))
		return 1;
	if (op >= 0xb8 && op <= 0xbf)
		return d->wide ? 8 : immediate_z(d);
	if (op >= 0xa0 && op <= 0xa3)
		return d->address_size ? 4 : 8;
	switch (op) {
	case 0x6a: case 0x6b: case 0x80: case 0x83: case 0xa8: case 0xc0: case 0xc1: case 0xc6:
	case 0xcd: case 0xeb:
		return 1;
	case 0x68: case 0x69: case 0x81: case 0xa9: case 0xc7:
		return immediate_z(d);
	case 0xc2: case 0xca:
		return 2;
	case 0xc8:
		return 3;
	case 0xe8: case 0xe9:
		return 4;
	case 0xf6:
		return (d->reg & 7) < 2 ? 1 : 0;
	case 0xf7:
		return (d->reg & 7) < 2 ? immediate_z(d) : 0;
	}
	return 0;
}

static unsigned immediate_of_0f(const struct decoder *d)
{
	uint8_t op = d->opcode;
	if (d->coding == LEGACY && op >= 0x80 && op <= 0x8f)
		return 4;
	if (d->coding == LEGACY && op == 0x78) /* EXTRQ, INSERTQ */
		return d->operand_size || d->repeat_not ? 2 : 0;
	switch (op) {
	case 0x0f: case 0xa4: case 0xac: case 0xba:
		return d->coding == LEGACY;
	case 0x70: case 0x71: case 0x72: case 0x73: case 0xc2: case 0xc4: case 0xc5: case 0xc6:
		return 1;
	}
	return 0;
}

static unsigned immediate(const struct decoder *d)
{
	switch (d->map) {
	case MAP_ONE:  return immediate_of_one(d);
	case MAP_0F:   return immediate_of_0f(d);
	case MAP_0F38: return 0;
	default:       return 1;
	}
}

/* -- what is accessed -------------------------------------------------------------------------- */

static void imply(struct decoder *d, uint64_t address)
{
	d->implied = true;
	d->address = address;
}

/* Where a word is pushed to, and where it is popped from. */
static uint64_t pushed(struct decoder *d)
{
	return d->executed ? value(d, SP) : value(d, SP) - 8;
}

static uint64_t popped(struct decoder *d)
{
	return d->executed ? value(d, SP) - 8 : value(d, SP);
}

/* Of a string: the element, or the last one. */
static uint64_t element(struct decoder *d, unsigned number)
{
	return d->executed ? value(d, number) - 1 : value(d, number);
}

static uint64_t with_segment(struct decoder *d, uint64_t address)
{
	if (d->address_size)
		address = (uint32_t)address;
	d->is_unknown |= d->gs;
	return d->fs ? address + d->thread : address;
}

/* Of those whose ModRM names a register, or that have none. */
static void imply_of_one(struct decoder *d)
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
		imply(d, d->executed ? popped(d) : value(d, BP));
		break;
	case 0xff:
		if ((d->reg & 7) == 2 || (d->reg & 7) == 6) /* CALL PUSH */
			imply(d, pushed(d));
		break;
	case 0x6c: case 0x6d: case 0xa4: case 0xa5: case 0xaa: case 0xab: case 0xae: case 0xaf:
		imply(d, d->address_size ? (uint32_t)element(d, DI) : element(d, DI));
		break;
	case 0x6e: case 0x6f: case 0xa6: case 0xa7: case 0xac: case 0xad:
		imply(d, with_segment(d, element(d, SI)));
		break;
	case 0xd7: /* XLAT */
		imply(d, with_segment(d, value(d, BX) + (value(d, AX) & 0xff)));
		break;
	}
}

static void imply_of_0f(struct decoder *d)
{
	switch (d->opcode) {
	case 0xa0: case 0xa8: /* PUSH */
		imply(d, pushed(d));
		break;
	case 0xa1: case 0xa9: /* POP */
		imply(d, popped(d));
		break;
	case 0xf7: /* MASKMOVQ, MASKMOVDQU */
		imply(d, with_segment(d, value(d, DI)));
		break;
	}
}

/* Whether the operand in memory is only an address, or a hint. */
static bool is_only_named(const struct decoder *d)
{
	unsigned extension = d->reg & 7;
	if (d->map == MAP_ONE)
		return d->opcode == 0x8d; /* LEA */
	if (d->map != MAP_0F || d->coding != LEGACY)
		return false;
	if (d->opcode == 0x0d || (d->opcode >= 0x18 && d->opcode <= 0x1f)) /* prefetch, NOP */
		return true;
	if (d->opcode == 0xae) /* CLFLUSH CLFLUSHOPT CLWB */
		return extension == 7 || (extension == 6 && d->operand_size);
	return d->opcode == 0xb9 || d->opcode == 0xff || (d->opcode == 0x01 && extension == 7);
}

/* An index for each element of a vector, or for each row of a tile. */
static bool has_many(const struct decoder *d)
{
	uint8_t op = d->opcode;
	if (d->map != MAP_0F38 || d->coding == LEGACY || (d->coding == EVEX && d->evex.map != 2))
		return false;
	if (op >= 0x90 && op <= 0x93)
		return true;
	return d->coding == VEX ? op == 0x4a || op == 0x4b
				: (op >= 0xa0 && op <= 0xa3) || op == 0xc6 || op == 0xc7;
}

/* BT BTS BTR BTC: a bit's number in a register may be far outside of the operand. */
static void add_bits(struct decoder *d)
{
	uint8_t op = d->opcode;
	if (d->map != MAP_0F || d->coding != LEGACY ||
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

/* After the immediate. */
static void find_operand(struct decoder *d)
{
	if (!d->is_memory) {
		if (d->map == MAP_ONE)
			imply_of_one(d);
		else if (d->map == MAP_0F)
			imply_of_0f(d);
		return;
	}
	if (d->is_relative)
		d->address += d->registers[PC] + (uint64_t)(d->at - d->code);
	if (d->map == MAP_ONE && d->opcode == 0x8f && d->is_of_stack && !d->executed)
		d->address += 8; /* POP counts its own change of the stack pointer */
	add_bits(d);
	d->is_unknown |= has_many(d);
	d->address = with_segment(d, d->address);
}

/* MOV with the address instead of an immediate. */
static bool has_address(const struct decoder *d)
{
	return d->map == MAP_ONE && d->opcode >= 0xa0 && d->opcode <= 0xa3;
}

static void take_immediate(struct decoder *d)
{
	uint64_t number = 0;
	unsigned bytes = immediate(d);
	if (!has_address(d)) {
		d->at += bytes;
		return;
	}
	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)next(d) << 8 * i;
	imply(d, with_segment(d, number));
}

/* -- an instruction that was executed ---------------------------------------------------------- */

/* Opcodes of one byte with a ModRM whose register is not written to: it is a source, or there is
 * none. */
static bool keeps_register(uint8_t op)
{
	if (op < 0x40)
		return (op & 7) < 2 || op >= 0x38;
	return (op >= 0x80 && op <= 0x85) || op == 0x88 || op == 0x89 || op == 0x8c || op == 0x8f ||
	       op == 0x8e || op >= 0xc0;
}

/* Opcodes after 0F that write to a general register. */
static bool changes_register_of_0f(uint8_t op)
{
	return op == 0x02 || op == 0x03 || op == 0x2c || op == 0x2d || (op & 0xf0) == 0x40 ||
	       op == 0xaf || op == 0xb6 || op == 0xb7 || op == 0xb8 || (op >= 0xbc && op <= 0xc1);
}

static uint32_t changed_registers(const struct decoder *d)
{
	uint32_t own = 1u << (d->reg & 15);
	uint8_t op = d->opcode;
	switch (d->map) {
	case MAP_ONE:
		if ((op == 0xf6 || op == 0xf7) && (d->reg & 7) >= 4) /* MUL DIV */
			return 1u << AX | 1u << DX;
		if (op == 0x8f || (op == 0xff && (d->reg & 7) == 6)) /* POP PUSH */
			return 1u << SP;
		return keeps_register(op) ? 0 : own;
	case MAP_0F:
		if (d->coding != LEGACY)
			return op == 0x2c || op == 0x2d ? own : 0;
		if (op == 0xb0 || op == 0xb1 || op == 0xc7) /* CMPXCHG */
			return 1u << AX | 1u << DX;
		return changes_register_of_0f(op) ? own : 0;
	default: /* MOVBE CRC32 RORX and the like; the register may be named before ModRM */
		return op < 0xf0 ? 0 : d->coding == LEGACY ? own : UINT32_MAX;
	}
}

static bool has_changed_address(const struct decoder *d)
{
	return d->executed && d->is_memory && (d->made_of & changed_registers(d)) != 0;
}

/* JMP CALL RET UD2 and the like. */
static bool leaves(const struct decoder *d)
{
	uint8_t op = d->opcode, extension = d->reg & 7;
	if (d->map == MAP_0F)
		return d->coding == LEGACY && (op == 0x0b || op == 0x05 || op == 0x07 || op == 0x34);
	if (d->map != MAP_ONE)
		return false;
	return op == 0xe8 || op == 0xe9 || op == 0xeb || op == 0xc2 || op == 0xc3 || op == 0xca ||
	       (op >= 0xcb && op <= 0xcf) || op == 0xf4 ||
	       (op == 0xff && extension >= 2 && extension <= 5);
}

/* -- an instruction ---------------------------------------------------------------------------- */

static struct sis_operand decode(struct decoder *d)
{
	struct sis_operand result = { .kind = SIS_OPERAND_UNKNOWN };
	if (!take_opcode(d) || form(d) == '-')
		return result;
	if (d->map == MAP_ONE && d->opcode == 0x8f && (*d->at & 0x38)) /* XOP */
		return result;
	if (form(d) == 'm')
		take_modrm(d);
	take_immediate(d);
	find_operand(d);
	bool is_memory = d->implied || (d->is_memory && !is_only_named(d));
	result.length = (uint32_t)(d->at - d->code);
	result.leaves = leaves(d);
	result.address = is_memory ? d->address : 0;
	result.kind = !is_memory ? SIS_OPERAND_NONE
		      : d->is_unknown || has_changed_address(d) ? SIS_OPERAND_UNKNOWN
								: SIS_OPERAND_MEMORY;
	return result;
}

struct sis_operand sis__operand(const uint8_t *code, const uint64_t *registers, uint64_t thread)
{
	struct decoder d = { .code = code, .at = code, .registers = registers, .thread = thread };
	return decode(&d);
}

struct sis_operand sis__operand_after(const uint8_t *code, const uint64_t *registers,
				      uint64_t thread)
{
	struct decoder d = { .code = code, .at = code, .registers = registers, .thread = thread,
			     .executed = true };
	return decode(&d);
}
