/* Records, packed and read back. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
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
		.enter = *now, .exit = *now + some(odd ? UINT64_C(1) << 33 : 3000),
		.node = (struct sis_node *)(uintptr_t)(0x7f0000000000u + 96 * some(odd ? 1000 : 5)),
		.bytes = odd ? some(1u << 30) : 8 * some(3), .serial = odd ? UINT64_MAX - some(9) : some(100),
		.comm = (uint32_t)some(2), .peer = (int32_t)some(4) - 1, .tag = odd ? INT32_MIN : (int32_t)some(3) - 1,
		.kind = (uint16_t)(1 + some(13)), .flags = (uint16_t)some(16),
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

START_TEST(what_was_packed_is_read_back)
{
	static struct sis_record record[MANY];
	static _Alignas(16) char packed[MANY * sizeof(struct sis_record)];
	static struct sis_record_pack writer, reader;
	uint64_t now = 1000, length = 0, at = 0;
	struct sis_record r;
	for (int i = 0; i < MANY; i++) {
		record[i] = next(&now);
		length += sis_record_pack(&writer, &record[i], packed + length);
	}
	for (int i = 0; i < MANY; i++) {
		unsigned bytes = sis_record_unpack(&reader, packed + at, length - at, &r);
		ck_assert_uint_gt(bytes, 0);
		equal(&r, &record[i]);
		at += bytes;
	}
	ck_assert_uint_eq(at, length);
}
END_TEST

START_TEST(what_repeats_is_short)
{
	static struct sis_record_pack pack;
	char out[sizeof(struct sis_record)];
	struct sis_record r = { .enter = 1000, .exit = 1100, .kind = SIS_RECORD_BARRIER, .peer = -1, .tag = -1, .serial = 7 };
	ck_assert_uint_eq(sis_record_pack(&pack, &r, out), sizeof r);
	for (int i = 0; i < 100; i++) {
		r.enter += 1000;
		r.exit = r.enter + 50;
		r.serial++;
		ck_assert_uint_eq(sis_record_pack(&pack, &r, out), sizeof(struct sis_short_record));
	}
	r.exit = r.enter + (UINT64_C(1) << 32); /* lasts too long for one */
	ck_assert_uint_eq(sis_record_pack(&pack, &r, out), sizeof r);
}
END_TEST

START_TEST(damage_is_no_crash)
{
	static struct sis_record_pack reader;
	_Alignas(16) char bytes[1024];
	struct sis_record r;
	for (int round = 0; round < MANY; round++) {
		memset(&reader, 0, sizeof reader);
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (char)some(256);
		uint64_t at = 0;
		for (unsigned n; at < sizeof bytes && (n = sis_record_unpack(&reader, bytes + at, sizeof bytes - at, &r)); at += n)
			ck_assert_uint_le(at + n, sizeof bytes);
	}
	memset(&reader, 0, sizeof reader);
	struct sis_short_record early = { UINT64_C(1) << 63, 1, 0 }; /* of a place that nothing was said of */
	ck_assert_uint_eq(sis_record_unpack(&reader, &early, sizeof early, &r), 0);
}
END_TEST

UNIT_MAIN("record", what_was_packed_is_read_back, what_repeats_is_short, damage_is_no_crash)
