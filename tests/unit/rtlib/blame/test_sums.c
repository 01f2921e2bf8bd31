/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/memory/sums.c */
/* Sums of allocations: what begins, ends, grows and shrinks, and readers' conditions meanwhile. */
#include "unit.h"

#include "blame/memory/sums.h"

static void check(const struct sis_memory *sum)
{
	ck_assert_uint_le(sum->freed, sum->allocations);
	ck_assert_uint_le(sum->alive, sum->bytes);
	ck_assert_uint_le(sum->alive, sum->most);
	ck_assert_uint_le(sum->most, sum->bytes);
	ck_assert_uint_le(sum->largest, sum->bytes);
}

static struct sis_block block(uint64_t bytes, uint64_t ticks, uint16_t is_part)
{
	return (struct sis_block){ .begin = 1000, .end = 1000 + bytes, .ticks = ticks,
				   .is_part = is_part };
}

START_TEST(life)
{
	struct sis_memory sum = { 0 };
	struct sis_block first = block(100, 10, 0), second = block(60, 20, 0);
	sis__sum_begin(&sum, 100, 10);
	sis__sum_begin(&sum, 60, 20);
	check(&sum);
	sis__sum_end(&sum, &first, 50);
	sis__sum_end(&sum, &second, 70);
	check(&sum);
	ck_assert_uint_eq(sum.allocations, 2);
	ck_assert_uint_eq(sum.freed, 2);
	ck_assert_uint_eq(sum.bytes, 160);
	ck_assert_uint_eq(sum.alive, 0);
	ck_assert_uint_eq(sum.most, 160);
	ck_assert_uint_eq(sum.largest, 100);
	ck_assert_uint_eq(sum.from, 10);
	ck_assert_uint_eq(sum.to, 70);
	ck_assert_uint_eq(sum.life, 40 + 50);
}
END_TEST

START_TEST(sizes)
{
	struct sis_memory sum = { 0 };
	struct sis_block last = block(150, 10, 0);
	sis__sum_begin(&sum, 100, 10);
	sis__sum_resize(&sum, 100, 30);
	check(&sum);
	ck_assert_uint_eq(sum.alive, 30);
	sis__sum_resize(&sum, 30, 150);
	check(&sum);
	ck_assert_uint_eq(sum.bytes, 220);
	ck_assert_uint_eq(sum.most, 150);
	ck_assert_uint_eq(sum.largest, 150);
	sis__sum_end(&sum, &last, 20);
	ck_assert_uint_eq(sum.alive, 0);
	ck_assert_uint_eq(sum.freed, 1);
}
END_TEST

START_TEST(parts)
{
	struct sis_memory sum = { 0 };
	struct sis_block hole = block(40, 10, 1), rest = block(30, 10, 1), first = block(30, 10, 0);
	sis__sum_begin(&sum, 100, 10);
	sis__sum_end(&sum, &hole, 20);
	sis__sum_end(&sum, &rest, 30);
	ck_assert_uint_eq(sum.freed, 0);
	sis__sum_end(&sum, &first, 40);
	ck_assert_uint_eq(sum.freed, 1);
	ck_assert_uint_eq(sum.alive, 0);
	ck_assert_uint_eq(sum.life, 30);
}
END_TEST

START_TEST(by_stack)
{
	static struct sis_memory sum[SIS_SUMS_MOST + 1];
	for (uint32_t i = 0; i < SIS_SUMS_MOST; i++)
		ck_assert(sis__sums_add(&sum[i], 64 * (i / 2), 1 + i % 2));
	ck_assert(!sis__sums_add(&sum[SIS_SUMS_MOST], 1, 1));
	for (uint32_t i = 0; i < SIS_SUMS_MOST; i++)
		ck_assert_ptr_eq(sis__sums_find(64 * (i / 2), 1 + i % 2), &sum[i]);
	ck_assert_ptr_null(sis__sums_find(1, 1));
	sis__sums_clear();
	ck_assert_ptr_null(sis__sums_find(64, 1));
}
END_TEST

UNIT_MAIN("sums", life, sizes, parts, by_stack)
