/* SPDX-License-Identifier: BSD-3-Clause */
/* What was off takes the same room however often it is switched, and its numbers add up. */
/* link: rtlib/output/profile/switched.c */
#include "unit.h"

#include "base/lock.h"
#include "output/profile/store.h"
#include "output/profile/switched.h"
#include "output/profile/text.h"

#include <stdlib.h>
#include <string.h>

/* -- the file, in memory ----------------------------------------------------------------------- */

static unsigned chunks, texts;

bool sis__lock(struct sis_lock *lock) { (void)lock; return true; }
void sis__unlock(struct sis_lock *lock) { (void)lock; }
void sis__text(const char *kind, const char *format, ...)
{
	ck_assert_str_eq(kind, "cause");
	(void)format;
	texts++;
}
struct sis_chunk *sis__chunk_new(enum sis_chunk_kind kind, uint32_t slot, uint64_t bytes)
{
	ck_assert_int_eq(kind, SIS_CHUNK_SWITCHED);
	ck_assert_uint_eq(slot, SIS_NO_SLOT);
	chunks++;
	struct sis_chunk *chunk = calloc(1, sizeof *chunk + bytes);
	chunk->size = sizeof *chunk + bytes;
	return chunk;
}

static unsigned length(const struct sis_switched *list)
{
	unsigned n = 0;
	for (; list; list = list->next)
		n++;
	return n;
}

START_TEST(a_million_switches_take_no_more_room_than_one)
{
	enum { TIMES = 1000000 };
	sis__switched_list list = NULL;
	for (uint64_t i = 0; i < TIMES; i++) {
		struct sis_switched *one = sis__switched_of(&list, SIS_SWITCHED_REGION, 7, 16);
		sis__switched_off(one, 100 + 10 * i);
		sis__switched_off(one, 101 + 10 * i); /* it is off: nothing happens */
		sis__switched_on(one, 103 + 10 * i);
		sis__switched_on(one, 104 + 10 * i);
	}
	ck_assert_uint_eq(length(list), 1);
	ck_assert_uint_eq(chunks, 1);
	ck_assert_uint_eq(list->count, TIMES);
	ck_assert_uint_eq(list->first, 100);
	ck_assert_uint_eq(list->last, 100 + UINT64_C(10) * (TIMES - 1));
	ck_assert_uint_eq(list->on, list->last + 3);
	ck_assert_uint_eq(list->ticks, UINT64_C(3) * TIMES);
}
END_TEST

START_TEST(what_stays_off_says_so)
{
	sis__switched_list list = NULL;
	struct sis_switched *one = sis__switched_of(&list, SIS_SWITCHED_THREAD, 1, SIS_CAUSE_PAUSE);
	ck_assert_uint_eq(one->count, 0);
	sis__switched_on(one, 5); /* it was never off */
	ck_assert_uint_eq(one->on, 0);
	sis__switched_off(one, 10), sis__switched_on(one, 14), sis__switched_off(one, 20);
	ck_assert(one->on < one->last);
	ck_assert_uint_eq(one->ticks, 4);
	sis__switched_off(NULL, 30), sis__switched_on(NULL, 30); /* there was no room */
}
END_TEST

START_TEST(many_causes_share_one)
{
	sis__switched_list list = NULL;
	uint64_t count = 0;
	for (uint32_t cause = 100; cause < 200; cause++) {
		struct sis_switched *one = sis__switched_of(&list, SIS_SWITCHED_REGION, 7, cause);
		sis__switched_off(one, cause), sis__switched_on(one, cause + 1);
		ck_assert_ptr_eq(sis__switched_of(&list, SIS_SWITCHED_REGION, 7, cause), one);
	}
	sis__switched_of(&list, SIS_SWITCHED_COUNTERS, 7, 100);
	ck_assert_uint_eq(length(list), 16 + 1 + 1);
	for (const struct sis_switched *one = list; one; one = one->next)
		count += one->count;
	ck_assert_uint_eq(count, 100);
}
END_TEST

START_TEST(a_cause_is_named_once)
{
	uint32_t first = sis__cause("rule\t%s:%u\toff x", "rules", 3);
	ck_assert_uint_ge(first, SIS_CAUSE_FIRST);
	ck_assert_uint_eq(sis__cause("rule\trules:3\toff x"), first);
	ck_assert_uint_ne(sis__cause("rule\trules:4\toff x"), first);
	ck_assert_uint_eq(texts, 2);
	for (unsigned i = 0; i < 2000; i++)
		sis__cause("rule\trules:%u\toff y", i);
	ck_assert_uint_eq(texts, 1000);
	ck_assert_uint_eq(sis__cause("rule\trules:1\toff z"), SIS_CAUSE_OTHERS);
	ck_assert_uint_eq(sis__cause("rule\trules:3\toff x"), first);
}
END_TEST

UNIT_MAIN("switched", a_million_switches_take_no_more_room_than_one, what_stays_off_says_so,
	  many_causes_share_one, a_cause_is_named_once)
