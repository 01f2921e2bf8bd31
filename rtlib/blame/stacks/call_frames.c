/* SPDX-License-Identifier: BSD-3-Clause */
/* call_frames.c - reads unwinding tables (.eh_frame_hdr and .eh_frame) of loaded modules. Called by
 * any thread, and in the handler of the samples' signal: no lock, no allocation.
 *
 *      .eh_frame_hdr   a sorted table: begin of a function, its FDE
 *      FDE             a function's range, its CIE, and instructions ...
 *      CIE             ... that follow those of the CIE, which many functions have in common
 *
 * The instructions are executed up to the PC. Each instruction changes a row of rules, which say
 * where the caller's registers are. libc finds the table of a PC without a lock (_dl_find_object,
 * since
 * glibc 2.35). Tables are trusted like the code that they come with, so reads are only checked
 * against the tables' own lengths.
 *
 * If the stack is another thread's, a module may be unmapped meanwhile. Then the kernel first
 * copies each record into a room that the caller gives (copy_of).
 */
#include "base/copy_memory.h"
#include "blame/stacks/call_frames.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

enum {
	REMEMBERED = 4,
	HEADER = 20, /* bytes of .eh_frame_hdr before its table, at most */
	CIE_ROOM = 256, FDE_ROOM = SIS_CALL_FRAME_ROOM - CIE_ROOM,
};

/* Encodings of pointers. */
enum { ABSOLUTE = 0x00, DATA4 = 0x0b, PC_RELATIVE = 0x10, HEADER_RELATIVE = 0x30, OMITTED = 0xff,
       ULEB = 0x01, UDATA2 = 0x02, UDATA4 = 0x03, UDATA8 = 0x04, SLEB = 0x09, SDATA2 = 0x0a,
       SDATA8 = 0x0c, FORMAT = 0x0f, RELATION = 0x70 };

/* The bytes at `at` have the address at + shift in the module; the shift is not 0 in a copy. */
struct cursor { const uint8_t *at, *end; uintptr_t shift; };

/* Copies the bytes into `room` unless `room` is NULL. Returns where the bytes can be read, or NULL
 * if they are not there any more or are too many. */
static const uint8_t *copy_of(uint64_t address, uint64_t bytes, uint8_t *room, size_t size)
{
	if (!room)
		return (const uint8_t *)(uintptr_t)address;
	return bytes <= size && sis__copy_memory(room, (uintptr_t)address, bytes) ? room : NULL;
}

static uint64_t take_bytes(struct cursor *c, unsigned bytes)
{
	uint64_t value = 0;
	if ((size_t)(c->end - c->at) < bytes) {
		c->at = c->end;
		return 0;
	}
	memcpy(&value, c->at, bytes);
	c->at += bytes;
	return value;
}

static uint64_t take_uleb(struct cursor *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0; c->at < c->end; shift += 7) {
		uint8_t byte = *c->at++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static int64_t take_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte = 0;
	while (c->at < c->end) {
		byte = *c->at++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			break;
	}
	if ((byte & 0x40) && shift < 64)
		value |= ~0ull << shift;
	return (int64_t)value;
}

static uint64_t take_format(struct cursor *c, uint8_t encoding)
{
	switch (encoding & FORMAT) {
	case ULEB:   return take_uleb(c);
	case SLEB:   return (uint64_t)take_sleb(c);
	case UDATA2: return take_bytes(c, 2);
	case UDATA4: return take_bytes(c, 4);
	case SDATA2: return (uint64_t)(int16_t)take_bytes(c, 2);
	case DATA4:  return (uint64_t)(int32_t)take_bytes(c, 4);
	default:     return take_bytes(c, 8);
	}
}

static uint64_t address_of(const struct cursor *c)
{
	return (uint64_t)(uintptr_t)c->at + c->shift;
}

static uint64_t take_pointer(struct cursor *c, uint8_t encoding, uint64_t header)
{
	uint64_t here = address_of(c);
	uint64_t value = take_format(c, encoding);
	if ((encoding & RELATION) == PC_RELATIVE)
		value += here;
	if ((encoding & RELATION) == HEADER_RELATIVE)
		value += header;
	return value;
}

/* -- finding the function ---------------------------------------------------------------------- */

#pragma weak _dl_find_object

const void *sis__call_frames_of(uint64_t pc)
{
	struct dl_find_object object;
	if (!_dl_find_object || _dl_find_object((void *)(uintptr_t)pc, &object) != 0)
		return NULL;
	return object.dlfo_eh_frame;
}

struct entry { int32_t begin, fde; }; /* relative to the header */

static bool read_entry(uint64_t table, uint64_t number, bool copies, struct entry *entry)
{
	uint8_t room[sizeof *entry];
	const uint8_t *at = copy_of(table + number * sizeof *entry, sizeof *entry,
				    copies ? room : NULL, sizeof room);
	if (at)
		memcpy(entry, at, sizeof *entry);
	return at;
}

/* The address of the FDE; 0: there is none. */
static uint64_t find_fde(uint64_t header, uint64_t pc, bool copies)
{
	uint8_t room[HEADER];
	const uint8_t *at = copy_of(header, HEADER, copies ? room : NULL, sizeof room);
	if (!at || at[0] != 1 || at[2] == OMITTED || at[3] != (HEADER_RELATIVE | DATA4))
		return 0;
	struct cursor c = { at + 4, at + HEADER, header - (uint64_t)(uintptr_t)at };
	take_pointer(&c, at[1], header);
	uint64_t count = take_pointer(&c, at[2], header), table = address_of(&c);
	int64_t wanted = (int64_t)(pc - header);
	uint64_t low = 0, high = count;
	struct entry entry, found = { 0, 0 };
	while (low < high) { /* finds the first entry behind the PC */
		uint64_t middle = (low + high) / 2;
		if (!read_entry(table, middle, copies, &entry))
			return 0;
		if (entry.begin <= wanted) {
			low = middle + 1;
			found = entry;
		} else {
			high = middle;
		}
	}
	return low ? header + (uint64_t)(int64_t)found.fde : 0;
}

/* A cursor in a CIE or FDE, at the byte after the length. `at` is NULL if the record cannot be
 * read. */
static struct cursor open_record(uint64_t address, uint8_t *room, size_t size)
{
	struct cursor none = { NULL, NULL, 0 };
	uint32_t length;
	const uint8_t *at = copy_of(address, sizeof length, room, size);
	if (!at)
		return none;
	memcpy(&length, at, sizeof length);
	if (length == 0 || length == UINT32_MAX)
		return none;
	at = copy_of(address + sizeof length, length, room, size);
	return at ? (struct cursor){ at, at + length, address + sizeof length -
							      (uint64_t)(uintptr_t)at }
		  : none;
}

struct common { /* what a CIE says */
	struct cursor instructions;
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t encoding;
	bool is_signal, has_length;
};

static bool read_common(uint64_t address, uint8_t *room, struct common *common)
{
	struct cursor c = open_record(address, room, CIE_ROOM);
	if (!c.at || take_bytes(&c, 4) != 0) /* not a CIE */
		return false;
	uint64_t version = take_bytes(&c, 1);
	const char *letters = (const char *)c.at;
	while (take_bytes(&c, 1) != 0)
		;
	common->code_factor = take_uleb(&c);
	common->data_factor = take_sleb(&c);
	if ((version == 1 ? take_bytes(&c, 1) : take_uleb(&c)) != SIS_REG_PC)
		return false;
	common->encoding = ABSOLUTE;
	common->is_signal = false;
	common->has_length = letters[0] == 'z';
	const uint8_t *instructions = c.at;
	if (common->has_length) {
		uint64_t length = take_uleb(&c);
		instructions = c.at + length;
	}
	for (const char *letter = letters + common->has_length; *letter; letter++) {
		if (*letter == 'R')
			common->encoding = (uint8_t)take_bytes(&c, 1);
		else if (*letter == 'L')
			take_bytes(&c, 1);
		else if (*letter == 'P')
			take_format(&c, (uint8_t)take_bytes(&c, 1));
		else if (*letter == 'S')
			common->is_signal = true;
		else if (*letter != 'B')
			return false;
	}
	common->instructions = (struct cursor){ instructions, c.end, c.shift };
	return instructions <= c.end;
}

/* -- instructions ------------------------------------------------------------------------------ */

struct machine {
	const struct common *common;
	struct sis_call_frame row, initial, remembered[REMEMBERED];
	unsigned depth;
	uint64_t at, pc; /* the row holds for `at`, which advances up to `pc` */
};

static void set(struct sis_call_frame *row, uint64_t reg, enum sis_rule_kind kind, int64_t offset)
{
	if (reg > SIS_REG_PC)
		return;
	row->rule[reg].kind = (uint8_t)kind;
	row->rule[reg].offset = (int32_t)offset;
}

static void restore(struct machine *m, uint64_t reg)
{
	if (reg <= SIS_REG_PC)
		m->row.rule[reg] = m->initial.rule[reg];
}

static void skip_block(struct cursor *c)
{
	uint64_t length = take_uleb(c);
	c->at = length < (uint64_t)(c->end - c->at) ? c->at + length : c->end;
}

static void set_cfa(struct sis_call_frame *row, uint64_t reg, int64_t offset)
{
	row->cfa_register = (uint8_t)reg;
	row->cfa_offset = (int32_t)offset;
	row->expression = NULL;
}

static bool remember(struct machine *m)
{
	if (m->depth == REMEMBERED)
		return false;
	m->remembered[m->depth++] = m->row;
	return true;
}

static bool recall(struct machine *m)
{
	if (m->depth == 0)
		return false;
	m->row = m->remembered[--m->depth];
	return true;
}

/* Executes an instruction whose code is the whole first byte. Returns false if the code is not
 * known. */
static bool step_extended(struct machine *m, struct cursor *c, uint8_t code)
{
	struct sis_call_frame *row = &m->row;
	int64_t factor = m->common->data_factor;
	uint64_t reg;
	switch (code) {
	case 0x00: return true; /* nop */
	case 0x01: m->at = take_pointer(c, m->common->encoding, 0); return true;
	case 0x02: m->at += take_bytes(c, 1) * m->common->code_factor; return true;
	case 0x03: m->at += take_bytes(c, 2) * m->common->code_factor; return true;
	case 0x04: m->at += take_bytes(c, 4) * m->common->code_factor; return true;
	case 0x05: reg = take_uleb(c); set(row, reg, SIS_RULE_AT, (int64_t)take_uleb(c) * factor);
		   return true;
	case 0x06: restore(m, take_uleb(c)); return true;
	case 0x07: set(row, take_uleb(c), SIS_RULE_UNDEFINED, 0); return true;
	case 0x08: set(row, take_uleb(c), SIS_RULE_SAME, 0); return true;
	case 0x09: reg = take_uleb(c); set(row, reg, SIS_RULE_IN, (int64_t)take_uleb(c));
		   return true;
	case 0x0a: return remember(m);
	case 0x0b: return recall(m);
	case 0x0c: reg = take_uleb(c); set_cfa(row, reg, (int64_t)take_uleb(c)); return true;
	case 0x0d: row->cfa_register = (uint8_t)take_uleb(c); return true;
	case 0x0e: row->cfa_offset = (int32_t)take_uleb(c); return true;
	case 0x0f: row->expression_length = (uint32_t)take_uleb(c); row->expression = c->at;
		   c->at = row->expression_length < (uint64_t)(c->end - c->at)
				   ? c->at + row->expression_length : c->end;
		   return true;
	case 0x10: reg = take_uleb(c); skip_block(c); set(row, reg, SIS_RULE_OTHER, 0); return true;
	case 0x11: reg = take_uleb(c); set(row, reg, SIS_RULE_AT, take_sleb(c) * factor);
		   return true;
	case 0x12: reg = take_uleb(c); set_cfa(row, reg, take_sleb(c) * factor); return true;
	case 0x13: row->cfa_offset = (int32_t)(take_sleb(c) * factor); return true;
	case 0x14: reg = take_uleb(c); set(row, reg, SIS_RULE_IS, (int64_t)take_uleb(c) * factor);
		   return true;
	case 0x15: reg = take_uleb(c); set(row, reg, SIS_RULE_IS, take_sleb(c) * factor);
		   return true;
	case 0x16: reg = take_uleb(c); skip_block(c); set(row, reg, SIS_RULE_OTHER, 0); return true;
	case 0x2e: take_uleb(c); return true; /* size of arguments */
	default:   return false;
	}
}

static bool execute(struct machine *m, struct cursor c)
{
	while (c.at < c.end && m->at <= m->pc) {
		uint8_t byte = *c.at++, low = byte & 0x3f;
		struct cursor *rest = &c;
		if (byte >> 6 == 1)
			m->at += low * m->common->code_factor;
		else if (byte >> 6 == 2)
			set(&m->row, low, SIS_RULE_AT,
			    (int64_t)take_uleb(rest) * m->common->data_factor);
		else if (byte >> 6 == 3)
			restore(m, low);
		else if (!step_extended(m, rest, byte))
			return false;
	}
	return true;
}

bool sis__call_frame(const void *table, uint64_t pc, uint8_t *room, struct sis_call_frame *frame)
{
	struct common common;
	uint64_t fde = find_fde((uint64_t)(uintptr_t)table, pc, room != NULL);
	struct cursor c = { NULL, NULL, 0 };
	if (fde)
		c = open_record(fde, room, FDE_ROOM);
	if (!c.at)
		return false;
	uint64_t here = address_of(&c);
	if (!read_common(here - take_bytes(&c, 4), room ? room + FDE_ROOM : NULL, &common))
		return false;
	uint64_t begin = take_pointer(&c, common.encoding, 0);
	uint64_t size = take_format(&c, common.encoding & FORMAT);
	if (pc < begin || pc - begin >= size)
		return false;
	if (common.has_length)
		skip_block(&c);
	/* only 1 KiB, because signal handlers may run on a small alternative stack */
	struct machine m = { .common = &common, .pc = pc };
	if (!execute(&m, common.instructions))
		return false;
	m.initial = m.row;
	m.at = begin;
	if (!execute(&m, c))
		return false;
	if (room && m.row.expression) { /* the room has it; frames of signals do not need it */
		if (!common.is_signal)
			return false;
		m.row.expression = NULL;
	}
	*frame = m.row;
	frame->is_signal = common.is_signal;
	frame->begin = begin;
	return true;
}
