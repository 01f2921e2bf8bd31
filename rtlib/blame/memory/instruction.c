/* SPDX-License-Identifier: BSD-3-Clause */
/* instruction.c - decodes an instruction of x86-64. Runs in the handler of the samples' signal.
 *
 *      prefixes   opcode                  ModRM SIB displacement   immediate
 *      66 F2 64   80                      form of the operand      its size follows from the
 *      REX        0F 80 / 0F 38 / 0F 3A                            opcode
 *      VEX EVEX   80
 *
 * Bytes are read one by one, because the page after the instruction may not be readable.
 * LIMIT: instructions with prefix XOP or REX2 are unknown.
 */
#include "blame/memory/instruction.h"

static uint8_t next(struct sis_instruction *d)
{
	return *d->at++;
}

/* -- prefixes ---------------------------------------------------------------------------------- */

static bool is_prefix(struct sis_instruction *d, uint8_t byte)
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

static void take_rex(struct sis_instruction *d, uint8_t rex)
{
	d->wide = rex & 8;
	d->reg_high = (uint8_t)((rex & 4) << 1);
	d->index_high = (uint8_t)((rex & 2) << 2);
	d->base_high = (uint8_t)((rex & 1) << 3);
}

/* In this prefix the bits R, X and B are inverted. */
static void take_inverted(struct sis_instruction *d, uint8_t byte)
{
	take_rex(d, (uint8_t)(~byte >> 5 & 7));
}

static bool take_vex(struct sis_instruction *d, uint8_t first)
{
	uint8_t byte = next(d), map = SIS_MAP_0F;
	d->coding = SIS_VEX;
	take_inverted(d, first == 0xc4 ? byte : byte | 0x60);
	if (first == 0xc4) {
		map = byte & 0x1f;
		byte = next(d);
		d->wide = byte >> 7;
	}
	d->evex.prefix = byte & 3;
	d->map = (enum sis_opcode_map)map;
	return map >= SIS_MAP_0F && map <= SIS_MAP_0F3A;
}

static bool take_evex(struct sis_instruction *d)
{
	uint8_t first = next(d), second = next(d), third = next(d);
	d->coding = SIS_EVEX;
	take_inverted(d, first);
	d->wide = second >> 7;
	d->evex = (struct sis_evex){ .map = first & 7, .prefix = second & 3, .wide = d->wide,
				     .broadcast = third >> 4 & 1,
				     .bytes = (uint8_t)(16 << (third >> 5 & 3)) };
	if ((third >> 5 & 3) == 3)
		d->evex.bytes = 64;
	unsigned map = first & 7u;
	/* like 0F 38, maps 5 and 6 have no immediates */
	d->map = map > SIS_MAP_0F3A ? SIS_MAP_0F38 : (enum sis_opcode_map)map;
	return (second & 4) && !(first & 8) && map != 0 && map != 4 && map != 7;
}

/* Decodes the prefixes and the opcode. Returns false if they are not known. */
static bool take_opcode(struct sis_instruction *d)
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
		d->map = byte == 0x38 ? SIS_MAP_0F38 : byte == 0x3a ? SIS_MAP_0F3A : SIS_MAP_0F;
		if (d->map != SIS_MAP_0F)
			byte = next(d);
	}
	d->opcode = byte;
	return true;
}

/* -- opcodes ----------------------------------------------------------------------------------- */

/* `m`: a ModRM follows the opcode; `.`: none follows; `-`: there is no such instruction. */
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

static char form(const struct sis_instruction *d)
{
	if (d->map == SIS_MAP_ONE)
		return of_one[d->opcode];
	if (d->map == SIS_MAP_0F && d->coding == SIS_LEGACY)
		return of_0f[d->opcode];
	return d->map == SIS_MAP_0F && d->opcode == 0x77 ? '.' : 'm';
}

/* -- ModRM ------------------------------------------------------------------------------------- */

static uint64_t displacement(struct sis_instruction *d, unsigned bytes)
{
	uint64_t number = 0;
	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)next(d) << 8 * i;
	return bytes == 1 ? (uint64_t)(int8_t)number : (uint64_t)(int32_t)number;
}

static uint64_t short_displacement(struct sis_instruction *d)
{
	uint64_t number = displacement(d, 1);
	if (d->coding != SIS_EVEX)
		return number;
	d->evex.opcode = d->opcode;
	d->evex.extension = d->reg & 7;
	unsigned scale = sis__operand_scale(&d->evex);
	d->is_unknown |= scale == 0;
	return number * scale;
}

/* Adds base and index to the address. Returns true if there is a displacement of four bytes instead
 * of a base. */
static bool take_sib(struct sis_instruction *d)
{
	uint8_t sib = next(d);
	unsigned index = (sib >> 3 & 7u) | d->index_high;
	bool no_base = (sib & 7) == SIS_BP && d->mod == 0;
	d->is_of_stack = (sib & 7) == SIS_SP && d->base_high == 0;
	if (index != SIS_SP)
		d->address += sis__instruction_value(d, index) << (sib >> 6);
	if (!no_base)
		d->address += sis__instruction_value(d, (sib & 7u) | d->base_high);
	return no_base;
}

static void take_modrm(struct sis_instruction *d)
{
	uint8_t byte = next(d), rm = byte & 7;
	bool no_base = false;
	d->mod = byte >> 6;
	d->reg = (byte >> 3 & 7) | d->reg_high;
	/* MOV to and from control registers has no operand in memory */
	bool is_control = d->map == SIS_MAP_0F && (d->opcode & 0xfc) == 0x20;
	d->is_memory = d->mod != 3 && !is_control;
	if (!d->is_memory)
		return;
	if (rm == SIS_SP)
		no_base = take_sib(d);
	else if (rm == SIS_BP && d->mod == 0)
		d->is_relative = no_base = true;
	else
		d->address += sis__instruction_value(d, rm | d->base_high);
	if (d->mod == 1)
		d->address += short_displacement(d);
	else if (d->mod == 2 || no_base)
		d->address += displacement(d, 4);
}

/* -- immediates -------------------------------------------------------------------------------- */

/* The bytes of an immediate that has the size of the operand, up to four. */
static unsigned immediate_z(const struct sis_instruction *d)
{
	return d->operand_size && !d->wide ? 2 : 4;
}

static unsigned immediate_of_one(const struct sis_instruction *d)
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

static unsigned immediate_of_0f(const struct sis_instruction *d)
{
	uint8_t op = d->opcode;
	if (d->coding == SIS_LEGACY && op >= 0x80 && op <= 0x8f)
		return 4;
	if (d->coding == SIS_LEGACY && op == 0x78) /* EXTRQ, INSERTQ */
		return d->operand_size || d->repeat_not ? 2 : 0;
	switch (op) {
	case 0x0f: case 0xa4: case 0xac: case 0xba:
		return d->coding == SIS_LEGACY;
	case 0x70: case 0x71: case 0x72: case 0x73: case 0xc2: case 0xc4: case 0xc5: case 0xc6:
		return 1;
	}
	return 0;
}

static void take_immediate(struct sis_instruction *d)
{
	unsigned bytes = 1;
	if (d->map == SIS_MAP_ONE)
		bytes = immediate_of_one(d);
	else if (d->map == SIS_MAP_0F)
		bytes = immediate_of_0f(d);
	else if (d->map == SIS_MAP_0F38)
		bytes = 0;
	/* this MOV has an address in place of an immediate */
	d->has_address = d->map == SIS_MAP_ONE && d->opcode >= 0xa0 && d->opcode <= 0xa3;
	if (!d->has_address) {
		d->at += bytes;
		return;
	}
	for (unsigned i = 0; i < bytes; i++)
		d->address |= (uint64_t)next(d) << 8 * i;
}

/* -- an instruction ---------------------------------------------------------------------------- */

uint64_t sis__instruction_value(struct sis_instruction *d, unsigned number)
{
	static const uint8_t in_dwarf[16] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };
	d->made_of |= 1u << (number & 15);
	return d->registers[in_dwarf[number & 15]];
}

bool sis__instruction_decode(struct sis_instruction *d)
{
	if (!take_opcode(d) || form(d) == '-')
		return false;
	if (d->map == SIS_MAP_ONE && d->opcode == 0x8f && (*d->at & 0x38)) /* XOP */
		return false;
	if (form(d) == 'm')
		take_modrm(d);
	take_immediate(d);
	return true;
}
