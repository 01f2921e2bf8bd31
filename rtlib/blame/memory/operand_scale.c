/* SPDX-License-Identifier: BSD-3-Clause */
/* operand_scale.c - the tuple types of instructions with an EVEX prefix. If an instruction accesses
 * N bytes, the unit of its displacement of one byte is N bytes. N follows from the opcode, by the
 * tables of Intel's manual (2.7.5, and "Tuple Type" of each instruction).
 */
#include "blame/memory/operand_scale.h"

enum tuple {
	UNKNOWN,
	FULL,          /* a vector, or one element of 4 or 8 bytes */
	WHOLE,         /* a vector */
	HALF,          /* half a vector, or one element of 4 bytes */
	HALF_OR_FULL,  /* HALF without bit W, FULL with it */
	HALF_WHOLE, QUARTER, EIGHTH, /* parts of a vector */
	FIXED_1, FIXED_2, FIXED_4, FIXED_8, FIXED_16, FIXED_32, /* bytes */
	BY_W,          /* 4 or 8 bytes */
	SMALL_BY_W,    /* 1 or 2 bytes */
	DUPLICATED,    /* 8 bytes, or a vector of more than 16 */
	BY_PREFIX,     /* FULL; with prefix F3 4 bytes, with F2 8 bytes */
	/* for FP16: parts of a vector, or one element of 2, 4 or 8 bytes */
	FULL_2, HALF_2, QUARTER_2, FULL_4, FULL_8,
	BY_PREFIX_2,   /* FULL_2; with prefix F3 2 bytes */
	SPECIAL,       /* special() computes it */
};

static const uint8_t map_1[256] = {
	[0x10 ... 0x11] = SPECIAL, [0x12] = SPECIAL, [0x13] = FIXED_8, [0x14 ... 0x15] = FULL,
	[0x16] = SPECIAL, [0x17] = FIXED_8, [0x28 ... 0x29] = WHOLE, [0x2a] = BY_W,
	[0x2b] = WHOLE, [0x2c ... 0x2f] = SPECIAL, [0x51] = BY_PREFIX, [0x54 ... 0x57] = FULL,
	[0x58 ... 0x59] = BY_PREFIX, [0x5a] = SPECIAL, [0x5b] = FULL, [0x5c ... 0x5f] = BY_PREFIX,
	[0x60 ... 0x61] = WHOLE, [0x62] = FULL, [0x63 ... 0x65] = WHOLE, [0x66] = FULL,
	[0x67 ... 0x69] = WHOLE, [0x6a ... 0x6d] = FULL, [0x6e] = BY_W, [0x6f] = WHOLE,
	[0x70] = SPECIAL, [0x71] = WHOLE, [0x72] = FULL, [0x73] = SPECIAL, [0x74 ... 0x75] = WHOLE,
	[0x76] = FULL, [0x78 ... 0x7b] = SPECIAL, [0x7e] = SPECIAL, [0x7f] = WHOLE,
	[0xc2] = BY_PREFIX, [0xc4] = FIXED_2, [0xc6] = FULL, [0xd1 ... 0xd3] = FIXED_16,
	[0xd4] = FULL, [0xd5] = WHOLE, [0xd6] = FIXED_8, [0xd8 ... 0xda] = WHOLE, [0xdb] = FULL,
	[0xdc ... 0xde] = WHOLE, [0xdf] = FULL, [0xe0] = WHOLE, [0xe1 ... 0xe2] = FIXED_16,
	[0xe3 ... 0xe5] = WHOLE, [0xe6] = SPECIAL, [0xe7 ... 0xea] = WHOLE, [0xeb] = FULL,
	[0xec ... 0xee] = WHOLE, [0xef] = FULL, [0xf1 ... 0xf3] = FIXED_16, [0xf4] = FULL,
	[0xf5 ... 0xf6] = WHOLE, [0xf8 ... 0xf9] = WHOLE, [0xfa ... 0xfb] = FULL,
	[0xfc ... 0xfd] = WHOLE, [0xfe] = FULL,
};

static const uint8_t map_2[256] = {
	[0x00] = WHOLE, [0x04] = WHOLE, [0x0b] = WHOLE, [0x0c ... 0x0d] = FULL,
	[0x10 ... 0x15] = SPECIAL, [0x16] = FULL, [0x18] = FIXED_4, [0x19] = FIXED_8,
	[0x1a] = FIXED_16, [0x1b] = FIXED_32, [0x1c ... 0x1d] = WHOLE, [0x1e ... 0x1f] = FULL,
	[0x20] = HALF_WHOLE, [0x21] = QUARTER, [0x22] = EIGHTH, [0x23] = HALF_WHOLE,
	[0x24] = QUARTER, [0x25] = HALF_WHOLE, [0x26] = WHOLE, [0x27 ... 0x29] = FULL,
	[0x2a] = WHOLE, [0x2b ... 0x2c] = FULL, [0x2d] = BY_W, [0x30] = HALF_WHOLE,
	[0x31] = QUARTER, [0x32] = EIGHTH, [0x33] = HALF_WHOLE, [0x34] = QUARTER,
	[0x35] = HALF_WHOLE, [0x36 ... 0x37] = FULL, [0x38] = WHOLE, [0x39] = FULL,
	[0x3a] = WHOLE, [0x3b] = FULL, [0x3c] = WHOLE, [0x3d] = FULL, [0x3e] = WHOLE,
	[0x3f ... 0x40] = FULL, [0x42] = FULL, [0x43] = BY_W, [0x44 ... 0x47] = FULL,
	[0x4c] = FULL, [0x4d] = BY_W, [0x4e] = FULL, [0x4f] = BY_W, [0x50 ... 0x51] = FULL,
	[0x52 ... 0x53] = SPECIAL, [0x54] = WHOLE, [0x55] = FULL, [0x58] = FIXED_4,
	[0x59] = FIXED_8, [0x5a] = FIXED_16, [0x5b] = FIXED_32, [0x62 ... 0x63] = SMALL_BY_W,
	[0x64 ... 0x65] = FULL, [0x66] = WHOLE, [0x68] = FULL, [0x70] = WHOLE, [0x71] = FULL,
	[0x72] = SPECIAL, [0x73] = FULL, [0x75] = WHOLE, [0x76 ... 0x77] = FULL,
	[0x78] = FIXED_1, [0x79] = FIXED_2, [0x7d] = WHOLE, [0x7e ... 0x7f] = FULL,
	[0x83] = FULL, [0x88 ... 0x8b] = BY_W, [0x8d] = WHOLE, [0x8f] = WHOLE,
	[0x96 ... 0x98] = FULL, [0x99] = BY_W, [0x9a ... 0x9b] = SPECIAL, [0x9c] = FULL,
	[0x9d] = BY_W, [0x9e] = FULL, [0x9f] = BY_W, [0xa6 ... 0xa8] = FULL, [0xa9] = BY_W,
	[0xaa ... 0xab] = SPECIAL, [0xac] = FULL, [0xad] = BY_W, [0xae] = FULL, [0xaf] = BY_W,
	[0xb4 ... 0xb8] = FULL, [0xb9] = BY_W, [0xba] = FULL, [0xbb] = BY_W, [0xbc] = FULL,
	[0xbd] = BY_W, [0xbe] = FULL, [0xbf] = BY_W, [0xc4] = FULL, [0xc8] = FULL,
	[0xca] = FULL, [0xcb] = BY_W, [0xcc] = FULL, [0xcd] = BY_W, [0xcf] = WHOLE,
	[0xdc ... 0xdf] = WHOLE,
};

static const uint8_t map_3[256] = {
	[0x00 ... 0x01] = FULL, [0x03 ... 0x05] = FULL, [0x08 ... 0x09] = FULL, [0x0a] = FIXED_4,
	[0x0b] = FIXED_8, [0x0f] = WHOLE, [0x14] = FIXED_1, [0x15] = FIXED_2, [0x16] = BY_W,
	[0x17] = FIXED_4, [0x18 ... 0x19] = FIXED_16, [0x1a ... 0x1b] = FIXED_32,
	[0x1d] = HALF_WHOLE, [0x1e ... 0x1f] = FULL, [0x20] = FIXED_1, [0x21] = FIXED_4,
	[0x22] = BY_W, [0x23] = FULL, [0x25 ... 0x26] = FULL, [0x27] = BY_W,
	[0x38 ... 0x39] = FIXED_16, [0x3a ... 0x3b] = FIXED_32, [0x3e ... 0x3f] = WHOLE,
	[0x42] = WHOLE, [0x43] = FULL, [0x44] = WHOLE, [0x50] = FULL, [0x51] = BY_W,
	[0x54] = FULL, [0x55] = BY_W, [0x56] = FULL, [0x57] = BY_W, [0x66] = FULL,
	[0x67] = BY_W, [0x70] = WHOLE, [0x71] = FULL, [0x72] = WHOLE, [0x73] = FULL,
	[0xce ... 0xcf] = FULL,
};

/* Maps 5 and 6 have the instructions of FP16. */
static const uint8_t map_5[256] = {
	[0x10 ... 0x11] = FIXED_2, [0x1d] = SPECIAL, [0x2a] = BY_W, [0x2c ... 0x2f] = FIXED_2,
	[0x51] = BY_PREFIX_2, [0x58 ... 0x59] = BY_PREFIX_2, [0x5a ... 0x5b] = SPECIAL,
	[0x5c ... 0x5f] = BY_PREFIX_2, [0x6e] = FIXED_2, [0x78 ... 0x7b] = SPECIAL,
	[0x7c ... 0x7d] = FULL_2, [0x7e] = FIXED_2,
};

static const uint8_t map_6[256] = {
	[0x2c] = FULL_2, [0x2d] = FIXED_2, [0x42] = FULL_2, [0x43] = FIXED_2,
	[0x4c] = FULL_2, [0x4d] = FIXED_2, [0x4e] = FULL_2, [0x4f] = FIXED_2, [0x56] = FULL_4,
	[0x57] = FIXED_4, [0x96 ... 0x98] = FULL_2, [0x99] = FIXED_2, [0x9a] = FULL_2,
	[0x9b] = FIXED_2, [0x9c] = FULL_2, [0x9d] = FIXED_2, [0x9e] = FULL_2, [0x9f] = FIXED_2,
	[0xa6 ... 0xa8] = FULL_2, [0xa9] = FIXED_2, [0xaa] = FULL_2, [0xab] = FIXED_2,
	[0xac] = FULL_2, [0xad] = FIXED_2, [0xae] = FULL_2, [0xaf] = FIXED_2,
	[0xb6 ... 0xb8] = FULL_2, [0xb9] = FIXED_2, [0xba] = FULL_2, [0xbb] = FIXED_2,
	[0xbc] = FULL_2, [0xbd] = FIXED_2, [0xbe] = FULL_2, [0xbf] = FIXED_2, [0xd6] = FULL_4,
	[0xd7] = FIXED_4,
};

enum { NO_PREFIX, PREFIX_66, PREFIX_F3, PREFIX_F2 };

static enum tuple special_1(const struct sis_evex *evex)
{
	static const enum tuple moved[4] = { WHOLE, WHOLE, FIXED_4, FIXED_8 };
	static const enum tuple low[4] = { FIXED_8, FIXED_8, WHOLE, DUPLICATED };
	static const enum tuple scalar[4] = { FIXED_4, FIXED_8, FIXED_4, FIXED_8 };
	static const enum tuple extended[4] = { HALF, FULL, FIXED_4, FIXED_8 };
	static const enum tuple shuffled[4] = { UNKNOWN, FULL, WHOLE, WHOLE };
	static const enum tuple to_unsigned[4] = { FULL, HALF_OR_FULL, FIXED_4, FIXED_8 };
	static const enum tuple of_unsigned[4] = { UNKNOWN, HALF_OR_FULL, HALF_OR_FULL, FULL };
	static const enum tuple of_integer[4] = { UNKNOWN, HALF_OR_FULL, BY_W, BY_W };
	static const enum tuple stored[4] = { UNKNOWN, BY_W, FIXED_8, UNKNOWN };
	static const enum tuple integers[4] = { UNKNOWN, FULL, HALF_OR_FULL, FULL };
	bool shifts_bytes = evex->extension == 3 || evex->extension == 7;
	switch (evex->opcode) {
	case 0x10: case 0x11: return moved[evex->prefix];
	case 0x12: case 0x16: return low[evex->prefix];
	case 0x2c: case 0x2d: case 0x2e: case 0x2f: return scalar[evex->prefix];
	case 0x5a: return extended[evex->prefix];
	case 0x70: return shuffled[evex->prefix];
	case 0x73: return shifts_bytes ? WHOLE : FULL;
	case 0x78: case 0x79: return to_unsigned[evex->prefix];
	case 0x7a: return of_unsigned[evex->prefix];
	case 0x7b: return of_integer[evex->prefix];
	case 0x7e: return stored[evex->prefix];
	case 0xe6: return integers[evex->prefix];
	}
	return UNKNOWN;
}

static enum tuple special_2(const struct sis_evex *evex)
{
	/* shifted: with prefix 66; narrowed: with prefix F3, which stores vectors with smaller
	 * elements */
	static const enum tuple shifted[6] = { WHOLE, WHOLE, WHOLE, HALF_WHOLE, FULL, FULL };
	static const enum tuple narrowed[6] = { HALF_WHOLE, QUARTER, EIGHTH, HALF_WHOLE, QUARTER,
						HALF_WHOLE };
	bool by_four = evex->prefix == PREFIX_F2; /* AVX512_4FMAPS, AVX512_4VNNIW */
	switch (evex->opcode) {
	case 0x52: case 0x53: return by_four ? FIXED_16 : FULL;
	case 0x72: return evex->prefix == PREFIX_66 ? WHOLE : FULL;
	case 0x9a: case 0xaa: return by_four ? FIXED_16 : FULL;
	case 0x9b: case 0xab: return by_four ? FIXED_16 : BY_W;
	}
	unsigned number = evex->opcode - 0x10u;
	return evex->prefix == PREFIX_F3 ? narrowed[number] : shifted[number];
}

/* Without prefix 66 some of the instructions are of FP16. */
static enum tuple of_map_3(const struct sis_evex *evex)
{
	if (evex->prefix == PREFIX_F3 && evex->opcode == 0xc2)
		return FIXED_2;
	if (evex->prefix == NO_PREFIX)
		switch (evex->opcode) {
		case 0x08: case 0x26: case 0x56: case 0x66: case 0xc2: return FULL_2;
		case 0x0a: case 0x27: case 0x57: case 0x67: return FIXED_2;
		}
	return map_3[evex->opcode];
}

static enum tuple special_5(const struct sis_evex *evex)
{
	static const enum tuple from_single[4] = { FIXED_4, FULL_4, UNKNOWN, UNKNOWN };
	static const enum tuple doubles[4] = { QUARTER_2, FULL_8, FIXED_2, FIXED_8 };
	static const enum tuple words[4] = { UNKNOWN, HALF_2, HALF_2, UNKNOWN };
	static const enum tuple to_unsigned[4] = { HALF_2, QUARTER_2, FIXED_2, UNKNOWN };
	static const enum tuple long_integers[4] = { UNKNOWN, QUARTER_2, BY_W, FULL };
	switch (evex->opcode) {
	case 0x1d: return from_single[evex->prefix];
	case 0x5a: return doubles[evex->prefix];
	case 0x5b: return evex->prefix == NO_PREFIX ? FULL : words[evex->prefix];
	case 0x78: case 0x79: return to_unsigned[evex->prefix];
	}
	return long_integers[evex->prefix];
}

static enum tuple tuple_of(const struct sis_evex *evex)
{
	if (evex->map == 1)
		return map_1[evex->opcode] == SPECIAL ? special_1(evex) : map_1[evex->opcode];
	if (evex->map == 2)
		return map_2[evex->opcode] == SPECIAL ? special_2(evex) : map_2[evex->opcode];
	if (evex->map == 3)
		return of_map_3(evex);
	if (evex->map == 5)
		return map_5[evex->opcode] == SPECIAL ? special_5(evex) : map_5[evex->opcode];
	if (evex->map != 6)
		return UNKNOWN;
	if (evex->opcode == 0x13)
		return evex->prefix == NO_PREFIX ? FIXED_2 : HALF_2;
	return map_6[evex->opcode];
}

unsigned sis__operand_scale(const struct sis_evex *evex)
{
	unsigned element = evex->wide ? 8 : 4;
	enum tuple tuple = tuple_of(evex);
	if (tuple == HALF_OR_FULL)
		tuple = evex->wide ? FULL : HALF;
	if (tuple == BY_PREFIX)
		tuple = evex->prefix == PREFIX_F3 ? FIXED_4
			: evex->prefix == PREFIX_F2 ? FIXED_8 : FULL;
	if (tuple == BY_PREFIX_2)
		tuple = evex->prefix == PREFIX_F3 ? FIXED_2 : FULL_2;
	switch (tuple) {
	case FULL_2:     return evex->broadcast ? 2 : evex->bytes;
	case HALF_2:     return evex->broadcast ? 2 : evex->bytes / 2u;
	case QUARTER_2:  return evex->broadcast ? 2 : evex->bytes / 4u;
	case FULL_4:     return evex->broadcast ? 4 : evex->bytes;
	case FULL_8:     return evex->broadcast ? 8 : evex->bytes;
	case FULL:       return evex->broadcast ? element : evex->bytes;
	case WHOLE:      return evex->bytes;
	case HALF:       return evex->broadcast ? 4 : evex->bytes / 2u;
	case HALF_WHOLE: return evex->bytes / 2u;
	case QUARTER:    return evex->bytes / 4u;
	case EIGHTH:     return evex->bytes / 8u;
	case FIXED_1:    return 1;
	case FIXED_2:    return 2;
	case FIXED_4:    return 4;
	case FIXED_8:    return 8;
	case FIXED_16:   return 16;
	case FIXED_32:   return 32;
	case BY_W:       return element;
	case SMALL_BY_W: return element / 4;
	case DUPLICATED: return evex->bytes == 16 ? 8 : evex->bytes;
	default:         return 0;
	}
}
