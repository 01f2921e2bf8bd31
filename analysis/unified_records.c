/* unified_records.c - records of a rank in the file of all ranks: put together as they were in memory, and read as those of a
 * file of its own are. One thread a part; nothing is taken on trust, as in unified_read.c. */
#include <stdlib.h>
#include <string.h>

#include "profile_check.h"
#include "record.h"
#include "unified_read.h"

static uint32_t node_of_record(const void *p, const void *name)
{
	return unified_node(p, (uint64_t)(uintptr_t)name);
}

/* A chunk is put together as it was in memory; all that is in it takes a multiple of 16 bytes. */
struct sixteen { unsigned char at[16]; };
typedef VEC(struct sixteen) chunk_bytes;

static void add_sixteens(chunk_bytes *chunk, const void *from, size_t size)
{
	for (size_t at = 0; at < size; at += sizeof(struct sixteen))
		memcpy(vec_push(chunk), (const char *)from + at, sizeof(struct sixteen));
}

static void read_short(struct number_reader *in, uint64_t place, chunk_bytes *chunk)
{
	int64_t gap = read_signed(in);
	struct sis_short_record s = { .duration = read_number32(in) };
	s.serial = (int32_t)read_signed(in);
	s.head = UINT64_C(1) << 63 | place << SIS_GAP_BITS | ((uint64_t)gap & ((UINT64_C(1) << SIS_GAP_BITS) - 1));
	in->bad |= place >= SIS_RECORD_SHAPES;
	add_sixteens(chunk, &s, sizeof s);
}

static void read_entries(struct number_reader *in, const struct sis_record *phase, chunk_bytes *chunk)
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
		add_sixteens(chunk, &e, sizeof e);
	}
	while ((chunk->n - begin) % 4)
		vec_push(chunk);
}

static void read_record(struct number_reader *in, chunk_bytes *chunk)
{
	struct sis_record whole;
	uint64_t what = read_number(in);
	if (what > 1) {
		read_short(in, what - 2, chunk);
		return;
	}
	const unsigned char *bytes = read_bytes(in, sizeof whole);
	if (!bytes)
		return;
	memcpy(&whole, bytes, sizeof whole);
	in->bad |= (what == 1) != (whole.kind == SIS_RECORD_PHASE);
	add_sixteens(chunk, &whole, sizeof whole);
	if (what == 1 && !in->bad)
		read_entries(in, &whole, chunk);
}

int unified_records(struct number_reader *in, struct profile *p, struct err *err)
{
	int rc = 0;
	for (uint64_t left = read_count(in, 2); left && !in->bad && rc == 0; left--) {
		uint32_t slot = read_number32(in);
		chunk_bytes chunk = { 0 };
		for (uint64_t records = read_count(in, 4); records && !in->bad; records--)
			read_record(in, &chunk);
		if (!in->bad && chunk.n)
			rc = profile_add_records(p, slot, chunk.at->at, 16 * chunk.n, node_of_record, p, err);
		vec_free(&chunk);
	}
	return rc;
}
