/* SPDX-License-Identifier: BSD-3-Clause */
/* Records, packed and read back. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record_write.h"
#include "unit.h"

enum { MANY = 20000 };

static uint64_t state = 42;
static uint64_t some(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

/* A program's: few call sites and partners, times that go on, now and then anything. */
static struct sis_record next(uint64_t *now)
{
	bool odd = some(50) == 0;
	*now += some(odd ? 1ull << 30 : 5000);
	struct sis_record r = {
		.enter = *now,
		.exit = *now + some(odd ? UINT64_C(1) << 33 : 3000),
		.node = (struct sis_node *)(uintptr_t)(0x7f0000000000u + 96 * some(odd ? 1000 : 5)),
		.bytes = odd ? some(1u << 30) : 8 * some(3),
		.serial = odd ? UINT64_MAX - some(9) : some(100),
		.comm = (uint32_t)some(2),
		.peer = (int32_t)some(4) - 1,
		.tag = odd ? INT32_MIN : (int32_t)some(3) - 1,
		.kind = (uint16_t)(1 + some(13)),
		.flags = (uint16_t)some(16),
	};
	if (odd && some(2))
		r.enter -= 100000; /* as of several that one call completes */
	*now = r.exit > *now ? r.exit : *now;
	return r;
}

static void equal(const struct sis_record *a, const struct sis_record *b)
{
	ck_assert_uint_eq(a->enter, b->enter);
	ck_assert_uint_eq(a->exit, b->exit);
	ck_assert_ptr_eq(a->node, b->node);
	ck_assert_uint_eq(a->bytes, b->bytes);
	ck_assert_uint_eq(a->serial, b->serial);
	ck_assert_uint_eq(a->comm, b->comm);
	ck_assert_int_eq(a->peer, b->peer);
	ck_assert_int_eq(a->tag, b->tag);
	ck_assert_uint_eq(a->kind, b->kind);
	ck_assert_uint_eq(a->flags, b->flags);
}

/* Packs as the fast paths do: they look up the expected record when a call begins, and pack that if
 * the call is like it. */
static unsigned pack_expected(struct sis_record_pack *pack, const struct sis_record *r,
			      unsigned char *out, unsigned at, int *as_expected)
{
	struct sis_record_expected expected = sis_record_expect(pack, r->enter, out + at);
	struct sis_record_shape shape = sis_record_shape_of(r);
	if (!expected.place || !sis_record_is_like(expected.place, &shape) ||
	    expected.place->shape.serial != r->serial ||
	    !sis_record_pack_expected(pack, &expected, r->exit))
		return pack_record(pack, r, out, at);
	++*as_expected;
	return sis_form_bytes(SIS_FORM_DUE);
}

/* The same bytes. */
static int packs_as_expected(const struct sis_record *record, int n, const unsigned char *packed,
			     unsigned length)
{
	static unsigned char out[MANY * (sizeof(struct sis_record) + 4)];
	static struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack pack;
	unsigned bytes = 0;
	int as_expected = 0;
	sis_record_pack_begin(&pack, place);
	for (int i = 0; i < n; i++)
		bytes += pack_expected(&pack, &record[i], out, bytes, &as_expected);
	ck_assert_uint_eq(bytes, length);
	ck_assert_mem_eq(out, packed, length);
	return as_expected;
}

/* Returns how many were as expected. */
static int packs_and_unpacks(const struct sis_record *record, int n)
{
	static unsigned char packed[MANY * (sizeof(struct sis_record) + 4)];
	static struct sis_record_place place[2][SIS_RECORD_SHAPES];
	struct sis_record_pack writer, reader;
	struct sis_record r;
	unsigned length = 0, at = 0;
	sis_record_pack_begin(&writer, place[0]);
	sis_record_pack_begin(&reader, place[1]);
	for (int i = 0; i < n; i++)
		length += pack_record(&writer, &record[i], packed, length);
	for (int i = 0; i < n; i++) {
		unsigned bytes = sis_record_unpack(&reader, packed + at, length - at, &r);
		ck_assert_uint_gt(bytes, 0);
		equal(&r, &record[i]);
		at += bytes;
	}
	ck_assert_uint_eq(at, length);
	return packs_as_expected(record, n, packed, length);
}

START_TEST(what_was_packed_is_read_back)
{
	static struct sis_record record[MANY];
	uint64_t now = 1000;
	for (int i = 0; i < MANY; i++)
		record[i] = next(&now);
	packs_and_unpacks(record, MANY);
}
END_TEST

/* A loop of four calls whose times lie at the edges of what each form can hold. */
START_TEST(forms_end_where_they_should)
{
	static struct sis_record record[MANY];
	static const uint64_t edge[] = { 0,
					 1,
					 0x7ffd,
					 0x7ffe,
					 0x7fff,
					 0x8000,
					 0x3ffffff,
					 0x4000000,
					 0x7ffffff,
					 0x8000000,
					 UINT32_MAX,
					 UINT64_C(1) << 32,
					 (UINT64_C(1) << 53) - 1,
					 UINT64_C(1) << 53 };
	enum { EDGES = sizeof edge / sizeof *edge };
	uint64_t exit = 1000;
	for (int i = 0; i < 4 * EDGES * EDGES; i++) {
		uint64_t gap = edge[i / 4 % EDGES],
			 enter = i % 3 ? exit + gap :
			gap < exit / 2 ? exit - gap :
					 exit;
		record[i] = (struct sis_record){ .enter = enter,
						 .exit = enter + edge[i / 4 / EDGES % EDGES],
						 .kind = 3,
						 .comm = (uint32_t)i % 4,
						 .serial = (uint64_t)i / 4 * (i % 4) };
		exit = record[i].exit > UINT64_C(1) << 60 ? 1000 : record[i].exit;
	}
	ck_assert_int_gt(packs_and_unpacks(record, 4 * EDGES * EDGES), 5);
}
END_TEST

static unsigned packs(struct sis_record_pack *pack, struct sis_record *r, uint64_t gap,
		      uint64_t duration)
{
	static unsigned char out[sizeof *r + 4];
	r->enter = r->exit + gap;
	r->exit = r->enter + duration;
	return pack_record(pack, r, out, 0);
}

START_TEST(what_repeats_is_short)
{
	static struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack pack;
	struct sis_record barrier = {
		.kind = SIS_RECORD_BARRIER, .peer = -1, .tag = -1, .serial = 7
	};
	sis_record_pack_begin(&pack, place);
	ck_assert_uint_eq(packs(&pack, &barrier, 1000, 100), sizeof barrier);
	barrier.serial++;
	ck_assert_uint_eq(packs(&pack, &barrier, 1000, 100), 16); /* the serials begin to count */
	for (int i = 0; i < 100; i++) {
		barrier.serial++;
		ck_assert_uint_eq(packs(&pack, &barrier, 1000, 50), 4);
	}
	barrier.serial++;
	ck_assert_uint_eq(packs(&pack, &barrier, 100000, 50), 8);
	barrier.serial += 2;
	ck_assert_uint_eq(packs(&pack, &barrier, 1000, 50), 16);
	barrier.serial += 2;
	/* too long for any form */
	ck_assert_uint_eq(packs(&pack, &barrier, 1000, UINT64_C(1) << 32), sizeof barrier);
}
END_TEST

START_TEST(a_loop_is_short_once_it_was_seen)
{
	static struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack pack;
	struct sis_record call[3];
	uint64_t exit = 0;
	sis_record_pack_begin(&pack, place);
	for (int i = 0; i < 3; i++)
		call[i] = (struct sis_record){ .kind = SIS_RECORD_SEND, .peer = i };
	for (int round = 0; round < 5; round++)
		for (int i = 0; i < 3; i++) {
			call[i].exit = exit;
			unsigned bytes = packs(&pack, &call[i], 10, 20),
				 due = i == 0 && round == 1 ? 8 : 4;
			ck_assert_uint_eq(bytes, round ? due : sizeof call[i]);
			exit = call[i].exit;
		}
}
END_TEST

/* A call that sends and receives, and one that completes many. */
START_TEST(several_of_one_call_are_short)
{
	static unsigned char packed[64 * sizeof(struct sis_record)];
	static struct sis_record_place place[2][SIS_RECORD_SHAPES];
	struct sis_record_pack pack, reader;
	struct sis_record call[3], r;
	unsigned length = 0, at = 0;
	sis_record_pack_begin(&pack, place[0]);
	sis_record_pack_begin(&reader, place[1]);
	for (int i = 0; i < 3; i++)
		call[i] = (struct sis_record){ .kind = SIS_RECORD_DONE, .peer = i };
	for (uint64_t round = 0; round < 4; round++)
		for (int i = 0; i < 3; i++) {
			call[i].enter = 1000 + round * 100;
			call[i].exit = call[i].enter + 50;
			unsigned bytes = pack_record(&pack, &call[i], packed, length),
				 due = i == 0 && round == 1 ? 8 : 4;
			ck_assert_uint_eq(bytes, round ? due : sizeof call[i]);
			length += bytes;
		}
	for (int i = 0; at < length; i++) {
		at += sis_record_unpack(&reader, packed + at, length - at, &r);
		ck_assert_uint_eq(r.enter, 1000 + (uint64_t)i / 3 * 100);
		ck_assert_uint_eq(r.exit, r.enter + 50);
		ck_assert_int_eq(r.peer, i % 3);
	}
}
END_TEST

START_TEST(damage_is_no_crash)
{
	static struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack reader;
	unsigned char bytes[1024];
	struct sis_record r;
	for (int round = 0; round < MANY; round++) {
		sis_record_pack_begin(&reader, place);
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (unsigned char)some(256);
		uint64_t at = 0;
		for (unsigned n; at < sizeof bytes &&
		     (n = sis_record_unpack(&reader, bytes + at, sizeof bytes - at, &r));
		     at += n)
			ck_assert_uint_le(at + n, sizeof bytes);
	}
}
END_TEST

START_TEST(what_nothing_was_said_of_is_damage)
{
	static struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack reader;
	struct sis_record r;
	char bytes[16];
	sis_record_pack_begin(&reader, place);
	for (unsigned form = SIS_FORM_DUE; form <= SIS_FORM_STEP; form++) {
		unsigned n = sis_packed_put(
			&(struct sis_packed_record){ .form = (enum sis_record_form)form, .gap = 5 },
			bytes);
		ck_assert_uint_eq(sis_record_unpack(&reader, bytes, n, &r), 0);
	}
}
END_TEST

UNIT_MAIN("record", what_was_packed_is_read_back, forms_end_where_they_should,
	  what_repeats_is_short, a_loop_is_short_once_it_was_seen, several_of_one_call_are_short,
	  damage_is_no_crash, what_nothing_was_said_of_is_damage)
