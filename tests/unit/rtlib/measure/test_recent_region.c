/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a thread was before a moment, and which threads had a lock, with made-up call graphs and
 * lock histories. */
/* link: rtlib/measure/wait_causes/recent_region.c rtlib/measure/wait_causes/lock_history.c */
/* link: rtlib/measure/wait_causes/lock_holders.c */
#include "unit.h"

#include <string.h>

#include "base/slot_table.h"
#include "measure/wait_causes/culprit.h"

/* What recent_region.c and lock_history.c need of the others. */
unsigned sis__sampling;
static struct sis_thread thread[4];
struct sis_thread *sis__slot(uint32_t slot) { return &thread[slot]; }
bool sis__slot_is_taken(uint32_t slot) { return slot < 3; }
struct sis_profile_header *sis__header(void)
{
	static struct sis_profile_header header = { .max_slots = 4 };
	return &header;
}
uint64_t sis__wait_short(void) { return 10; }
static struct {
	struct sis_node *node, *culprit;
	uint32_t slot;
	unsigned flags;
	uint64_t ticks;
} told[8];
static int tolds;
void sis__culprit(struct sis_thread *of, struct sis_node *node, uint32_t slot,
		  struct sis_where where, uint64_t ticks)
{
	(void)of;
	told[tolds].node = node;
	told[tolds].culprit = where.node;
	told[tolds].slot = slot;
	told[tolds].flags = where.flags;
	told[tolds++].ticks = ticks;
}

/* -- trees ------------------------------------------------------------------------------------- */

static struct sis_node root, outer, work, other;

static void add_child(struct sis_node *parent, struct sis_node *child, uint64_t start,
		      uint64_t calls, uint64_t total, uint64_t max)
{
	*child = (struct sis_node){ .parent = parent, .start = start, .calls = calls,
		.total = total, .max = max };
	child->next = parent->children++ ? parent->last_child->next : child;
	if (parent->children > 1)
		parent->last_child->next = child;
	parent->last_child = child;
}

/* root, open since 0; outer, open since 100. */
static void make_tree(void)
{
	tolds = 0;
	root = (struct sis_node){ .calls = 1 };
	add_child(&root, &outer, 100, 1, 0, 0);
	thread[0].pub = (struct sis_profile_thread){ .current = &outer, .root = &root, .slot = 0 };
}

static struct sis_where recent(uint64_t since, uint64_t now)
{
	return sis__recent_region(&thread[0], since, now);
}

START_TEST(the_only_activation_is_known_to_its_end)
{
	make_tree();
	add_child(&outer, &work, 110, 1, 880, 880);
	ck_assert_ptr_eq(recent(120, 1000).node, &work);
	ck_assert_uint_eq(recent(120, 1000).flags, 0);
	ck_assert_ptr_eq(recent(980, 1100).node, &outer); /* it had ended soon after */
	ck_assert_uint_eq(recent(991, 1100).flags, 0);
}
END_TEST

START_TEST(an_open_activation_lasts)
{
	make_tree();
	add_child(&outer, &work, 300, 7, 100, 20);
	thread[0].pub.current = &work;
	ck_assert_ptr_eq(recent(310, 1000).node, &work);
	ck_assert_uint_eq(recent(310, 1000).flags, 0);
	ck_assert_uint_eq(recent(120, 500).flags, SIS_CULPRIT_ESTIMATED);
}
END_TEST

START_TEST(many_activations_are_like_each_other)
{
	make_tree();
	add_child(&outer, &other, 900, 1, 50, 50);
	add_child(&outer, &work, 960, 100, 800, 10);
	struct sis_where where = recent(100, 1000);
	ck_assert_ptr_eq(where.node, &work);
	ck_assert_uint_eq(where.flags, SIS_CULPRIT_ESTIMATED);
}
END_TEST

START_TEST(it_goes_down_to_the_innermost)
{
	struct sis_node inner;
	make_tree();
	add_child(&outer, &work, 110, 1, 880, 880);
	add_child(&work, &inner, 111, 1, 870, 870);
	ck_assert_ptr_eq(recent(120, 1000).node, &inner);
	ck_assert_uint_eq(recent(120, 1000).flags, 0);
}
END_TEST

START_TEST(a_glance_is_right_if_it_stayed)
{
	make_tree();
	add_child(&outer, &work, 110, 1, 0, 0);
	thread[0].pub.current = &work;
	struct sis_snapshot first = sis__snapshot(0);
	ck_assert_uint_eq(sis__snapshot_compare(&first, 200, 1000).flags, 0); /* still there */
	work.total = 880;
	thread[0].pub.current = &outer;
	ck_assert_uint_eq(sis__snapshot_compare(&first, 200, 1000).flags, 0); /* until 990 */
	ck_assert_uint_eq(sis__snapshot_compare(&first, 200, 2000).flags, SIS_CULPRIT_ESTIMATED);
	work.calls++;
	ck_assert_uint_eq(sis__snapshot_compare(&first, 200, 1000).flags, SIS_CULPRIT_ESTIMATED);
}
END_TEST

/* -- turns ------------------------------------------------------------------------------------- */

static struct sis_node inside[4], wait[4];

static void make_threads(void)
{
	tolds = 0;
	for (uint32_t i = 0; i < 4; i++) {
		inside[i] = (struct sis_node){ .calls = 1 };
		wait[i] = (struct sis_node){ .parent = &inside[i] };
		thread[i].pub = (struct sis_profile_thread){ .slot = i, .current = &inside[i] };
	}
}

static void acquire(uint32_t slot, const void *lock, uint64_t from, uint64_t now)
{
	sis__lock_acquired(&thread[slot], &wait[slot], lock, from, now, NULL, NULL);
}

static void expect(int i, uint32_t slot, uint64_t ticks)
{
	ck_assert_int_gt(tolds, i);
	ck_assert_uint_eq(told[i].slot, slot);
	ck_assert_uint_eq(told[i].ticks, ticks);
	ck_assert_ptr_eq(told[i].culprit, &inside[slot]);
}

START_TEST(who_waits_in_a_queue_waits_for_all_before)
{
	static char lock;
	make_threads();
	acquire(0, &lock, 100, 101);
	acquire(1, &lock, 150, 300);
	acquire(2, &lock, 200, 500);
	ck_assert_int_eq(tolds, 3);
	expect(0, 0, 150);
	expect(1, 1, 200);
	expect(2, 0, 100);
	ck_assert_uint_eq(sis__lock_owner(&lock), 2);
	ck_assert_uint_eq(sis__lock_owner(&lock + 1), SIS_NO_SLOT);
}
END_TEST

START_TEST(a_short_wait_and_an_own_turn_tell_nothing)
{
	static char lock;
	make_threads();
	acquire(0, &lock, 100, 101);
	acquire(0, &lock, 200, 400);
	acquire(1, &lock, 500, 505);
	ck_assert_int_eq(tolds, 0);
}
END_TEST

START_TEST(what_was_seen_is_for_whoever_took_no_turn)
{
	static char lock;
	make_threads();
	acquire(3, &lock, 10, 11); /* long ago */
	struct sis_snapshot first = sis__snapshot(0);
	sis__lock_acquired(&thread[1], &wait[1], &lock, 100, 300, &first, NULL);
	sis__lock_acquired(&thread[2], &wait[2], &lock, 150, 400, &first, NULL);
	ck_assert_int_eq(tolds, 3);
	expect(0, 0, 200);
	expect(1, 1, 100);
	expect(2, 0, 150);
	ck_assert_uint_eq(told[0].flags, 0);
}
END_TEST

START_TEST(who_came_late_to_its_turn_is_waited_for_before_it)
{
	static char loop;
	make_threads();
	acquire(0, &loop, 100, 101);
	struct sis_node late = { .calls = 1 };
	struct sis_ordered_wait second = { 300, { &late, 0 } }, third = { 120, { &inside[2], 0 } };
	sis__lock_acquired(&thread[1], &wait[1], &loop, 300, 301, NULL, &second);
	sis__lock_acquired(&thread[2], &wait[2], &loop, 120, 400, NULL, &third);
	ck_assert_int_eq(tolds, 3);
	expect(0, 1, 99);
	ck_assert_uint_eq(told[1].slot, 1);
	ck_assert_ptr_eq(told[1].culprit, &late);
	ck_assert_uint_eq(told[1].ticks, 180);
	expect(2, 0, 1);
}
END_TEST

/* -- locks that can be tested ------------------------------------------------------------------ */

static void release_all(void)
{
	for (uint32_t i = 0; i < 4; i++)
		memset(thread[i].held, 0, sizeof thread[i].held);
}

START_TEST(who_holds_a_lock_is_found_in_its_own_state)
{
	static char lock[SIS_HELD + 1];
	release_all();
	for (unsigned i = 0; i < SIS_HELD; i++)
		sis__lock_hold(&thread[1], &lock[i]);
	for (unsigned i = 0; i < SIS_HELD; i++)
		ck_assert_uint_eq(sis__lock_holder(&lock[i]), 1);
	ck_assert_uint_eq(sis__lock_holder(&lock[SIS_HELD]), SIS_NO_SLOT);
	for (unsigned i = 0; i < SIS_HELD; i++) { /* in any order */
		sis__lock_release(&thread[1], &lock[(i + 2) % SIS_HELD]);
		ck_assert_uint_eq(sis__lock_holder(&lock[(i + 2) % SIS_HELD]), SIS_NO_SLOT);
	}
	sis__lock_hold(&thread[3], &lock[0]); /* of a slot that no thread has any more */
	ck_assert_uint_eq(sis__lock_holder(&lock[0]), SIS_NO_SLOT);
}
END_TEST

START_TEST(a_turn_is_noted_while_others_wait)
{
	static char lock;
	make_threads();
	sis__lock_waited(&thread[0], &wait[0], &lock, 100, 105, NULL);
	ck_assert(!sis__lock_is_awaited(&lock));
	ck_assert_uint_eq(sis__lock_owner(&lock), SIS_NO_SLOT);
	sis__lock_await(&lock); /* thread 2, since 110; it finds thread 0 */
	struct sis_snapshot first = sis__snapshot(0);
	ck_assert(sis__lock_is_awaited(&lock));
	sis__lock_taken(&thread[1], &wait[1], &lock, 200);
	sis__lock_await_no_more(&lock);
	sis__lock_waited(&thread[2], &wait[2], &lock, 110, 300, &first);
	ck_assert_int_eq(tolds, 2);
	expect(0, 1, 100);
	expect(1, 0, 90);
}
END_TEST

UNIT_MAIN("recent_region", the_only_activation_is_known_to_its_end, an_open_activation_lasts,
	  many_activations_are_like_each_other, it_goes_down_to_the_innermost,
	  a_glance_is_right_if_it_stayed, who_waits_in_a_queue_waits_for_all_before,
	  a_short_wait_and_an_own_turn_tell_nothing, what_was_seen_is_for_whoever_took_no_turn,
	  who_came_late_to_its_turn_is_waited_for_before_it,
	  who_holds_a_lock_is_found_in_its_own_state, a_turn_is_noted_while_others_wait)
