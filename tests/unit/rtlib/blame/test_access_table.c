/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/stacks/access_table.c rtlib/blame/stacks/filling.c */
/* Equal accesses are one record, many addresses become pages, and no sample is missing. */
#include "unit.h"

#include "blame/stacks/access_table.h"

enum { CHUNK = 4 << 20 };
static _Alignas(64) char memory[CHUNK];
static struct sis_access *slots[SIS_ACCESS_SLOTS];

static struct sis_access_table new_table(uint64_t size)
{
	struct sis_chunk *chunk = (struct sis_chunk *)memory;
	memset(memory, 0, sizeof memory);
	memset(slots, 0, sizeof slots);
	chunk->size = size;
	return (struct sis_access_table){ .slot = slots, .filling.spare = chunk };
}

static struct sis_access key(uint16_t kind, uint64_t place, int64_t offset)
{
	return (struct sis_access){ .node = 8, .kind = kind, .place = place, .offset = offset };
}

static void add(struct sis_access_table *table, struct sis_access access)
{
	ck_assert(sis__access_add(table, &access, 1, 10));
}

/* Samples of a kind, with and without the flag. */
static uint64_t count(const struct sis_access_table *table, uint16_t kind, uint16_t flags)
{
	const struct sis_chunk *chunk = table->filling.chunk;
	const struct sis_access *access = (const struct sis_access *)(chunk + 1);
	uint64_t sum = 0;
	for (uint64_t i = 0; i < chunk->used / sizeof *access; i++)
		if (access[i].kind == kind && access[i].flags == flags)
			sum += access[i].count;
	return sum;
}

START_TEST(equal_ones)
{
	struct sis_access_table table = new_table(SIS_PAGE);
	for (int i = 0; i < 3; i++)
		add(&table, key(SIS_ACCESS_STATIC, 4711, 0));
	add(&table, key(SIS_ACCESS_STATIC, 4712, 0));
	add(&table, key(SIS_ACCESS_STACK, 4711, 0));
	add(&table, key(SIS_ACCESS_STACK, 4711, -8));
	ck_assert_uint_eq(table.records, 4);
	ck_assert_uint_eq(count(&table, SIS_ACCESS_STATIC, 0), 4);
	ck_assert_uint_eq(count(&table, SIS_ACCESS_STACK, 0), 2);
	ck_assert_uint_eq(count(&table, 0, 0), 0); /* the rest has no kind yet */
}
END_TEST

START_TEST(pages)
{
	enum { ALL = SIS_ACCESSES_EXACT + 2048 };
	struct sis_access_table table = new_table(CHUNK);
	for (uint64_t i = 0; i < ALL; i++)
		add(&table, key(SIS_ACCESS_STATIC, 0x100000 + 8 * i, 0));
	ck_assert_uint_eq(count(&table, SIS_ACCESS_STATIC, 0), SIS_ACCESSES_EXACT);
	ck_assert_uint_eq(count(&table, SIS_ACCESS_STATIC, SIS_ACCESS_COARSE), 2048);
	ck_assert_uint_le(table.records, SIS_ACCESSES_EXACT + 5);
	add(&table, key(SIS_ACCESS_STATIC, 0x100000, 0)); /* one that is known stays exact */
	ck_assert_uint_eq(count(&table, SIS_ACCESS_STATIC, 0), SIS_ACCESSES_EXACT + 1);
	add(&table, key(SIS_ACCESS_STACK, 0x1234, -5000));
	const struct sis_access *last = (const struct sis_access *)(table.filling.chunk + 1) +
					table.filling.chunk->used / sizeof *last - 1;
	ck_assert_int_eq(last->offset, -8192);
	ck_assert_uint_eq(last->place, 0x1234);
	add(&table, key(SIS_ACCESS_ALLOCATED, 0x1234, 0)); /* no address */
	ck_assert_uint_eq(count(&table, SIS_ACCESS_ALLOCATED, 0), 1);
}
END_TEST

START_TEST(no_room)
{
	enum { ALL = 500 };
	struct sis_access_table table = new_table(SIS_PAGE);
	for (uint64_t i = 0; i < ALL; i++)
		add(&table, key(SIS_ACCESS_ALLOCATED, i, 0));
	ck_assert_uint_gt(count(&table, SIS_ACCESS_UNKNOWN, 0), 0);
	ck_assert_uint_eq(count(&table, SIS_ACCESS_UNKNOWN, 0) +
			  count(&table, SIS_ACCESS_ALLOCATED, 0), ALL);
	struct sis_access_table empty = { .slot = slots };
	struct sis_access one = key(SIS_ACCESS_NONE, 0, 0);
	memset(slots, 0, sizeof slots);
	ck_assert(!sis__access_add(&empty, &one, 1, 1));
}
END_TEST

START_TEST(full_table)
{
	enum { ALL = SIS_ACCESSES_MOST + 100 };
	struct sis_access_table table = new_table(CHUNK);
	for (uint64_t i = 0; i < ALL; i++)
		add(&table, key(SIS_ACCESS_ALLOCATED, i, 0));
	ck_assert_uint_eq(count(&table, SIS_ACCESS_ALLOCATED, 0), SIS_ACCESSES_MOST);
	ck_assert_uint_eq(count(&table, SIS_ACCESS_UNKNOWN, 0), 100);
}
END_TEST

UNIT_MAIN("access_table", equal_ones, pages, no_room, full_table)
