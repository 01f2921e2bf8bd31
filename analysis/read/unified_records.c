/* SPDX-License-Identifier: BSD-3-Clause */
/* unified_records.c - the records of a rank in the file of all ranks. They are restored as they
 * were in memory, and then read as those of a rank's own file are. One thread a part; nothing is
 * trusted, as in unified_read.c. */
#include <stdlib.h>
#include <string.h>

#include "read/profile_check.h"
#include "read/profile_v2.h"
#include "read/unified_read.h"

static uint32_t node_of_record(const void *p, const void *name)
{
	return unified_node(p, (uint64_t)(uintptr_t)name);
}

/* A chunk as it was in memory, without its padding. All that it contains takes a multiple of 4
 * bytes. */
struct four { unsigned char at[4]; };
typedef VEC(struct four) chunk_bytes;

static void add_fours(chunk_bytes *chunk, const void *from, size_t size)
{
	for (size_t at = 0; at < size; at += sizeof(struct four))
		memcpy(vec_push(chunk), (const char *)from + at, sizeof(struct four));
}

static void read_old_short(struct byte_reader *in, uint64_t place, chunk_bytes *chunk)
{
	int64_t gap = read_signed(in);
	struct old_short_record s = { .duration = read_number32(in) };
	s.serial = (int32_t)read_signed(in);
	s.head = UINT64_C(1) << 63 | place << OLD_GAP_BITS |
		((uint64_t)gap & ((UINT64_C(1) << OLD_GAP_BITS) - 1));
	in->bad |= place >= SIS_RECORD_SHAPES;
	add_fours(chunk, &s, sizeof s);
}

static void read_packed(struct byte_reader *in, uint64_t form, chunk_bytes *chunk)
{
	struct sis_packed_record r = { .form = (enum sis_record_form)form };
	char bytes[sizeof(struct sis_record)];
	if (form > SIS_FORM_STEP) {
		in->bad = true;
		return;
	}
	if (form != SIS_FORM_DUE)
		r.place = read_number32(in);
	r.gap = read_signed(in);
	r.duration = read_number32(in);
	if (form == SIS_FORM_STEP)
		r.serial = (int32_t)read_signed(in);
	in->bad |= r.place >= SIS_RECORD_SHAPES;
	add_fours(chunk, bytes, sis_packed_put(&r, bytes));
}

static void read_entries(struct byte_reader *in, const struct sis_record *phase, chunk_bytes *chunk)
{
	size_t begin = chunk->n;
	uint64_t node = 0;
	if (phase->serial > bytes_left(in) / 2 || phase->bytes != (phase->serial + 3) / 4 * 64) {
		in->bad = true;
		return;
	}
	for (uint64_t left = phase->serial; left; left--) {
		node += (uint64_t)read_signed(in);
		struct sis_phase_entry e = { (struct sis_node *)(uintptr_t)node, read_number(in) };
		add_fours(chunk, &e, sizeof e);
	}
	while ((chunk->n - begin) % (64 / sizeof(struct four)))
		vec_push(chunk);
}

/* Whether a whole record, of either version, is a phase. */
static bool is_phase(const unsigned char *whole, bool old, struct sis_record *r)
{
	if (old)
		old_record_unpack(&(struct old_record_pack){ 0 }, whole, sizeof *r, r);
	else
		memcpy(r, whole, sizeof *r);
	return r->kind == SIS_RECORD_PHASE;
}

static void read_record(struct byte_reader *in, bool old, chunk_bytes *chunk)
{
	struct sis_record whole = { 0 };
	uint64_t what = read_number(in);
	if (what > 1) {
		if (old)
			read_old_short(in, what - 2, chunk);
		else
			read_packed(in, what - 1, chunk);
		return;
	}
	const unsigned char *bytes = read_bytes(in, sizeof whole);
	if (!bytes)
		return;
	in->bad |= (what == 1) != is_phase(bytes, old, &whole);
	add_fours(chunk, bytes, sizeof whole);
	if (what == 1 && !in->bad)
		read_entries(in, &whole, chunk);
}

int unified_records(struct byte_reader *in, struct profile *p, struct err *err)
{
	bool old = PROFILE_IS_OLD(&p->head);
	int rc = 0;
	for (uint64_t left = read_count(in, 2); left && !in->bad && rc == 0; left--) {
		uint32_t slot = read_number32(in);
		chunk_bytes chunk = { 0 };
		for (uint64_t records = read_count(in, 3); records && !in->bad; records--)
			read_record(in, old, &chunk);
		if (!in->bad && chunk.n)
			rc = profile_add_records(p, slot, chunk.at->at,
						 sizeof(struct four) * chunk.n, node_of_record, p,
						 err);
		vec_free(&chunk);
	}
	return rc;
}
