/* SPDX-License-Identifier: BSD-3-Clause */
/* SIS_TIMING: which activations are timed, and what they count for. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "rt_support.h"

#include <sys/mman.h>

enum { N = 16, BLOCKS = 200, LONG = 3 * 4096 /* ticks */ };

static struct seen { uint64_t timed, total; } *seen; /* what the body saw, for the test */

static struct sis_thread *self(void) { return (struct sis_thread *)sis__self; }

/* One activation of region 1; whether its beginning was timed. */
static bool once(uint64_t ticks)
{
	SIS_ENTER(1)
	bool timed = !(self()->pub.current->start & SIS_START_UNTIMED);
	for (uint64_t begin = sis__ticks(); ticks && sis__ticks() - begin < ticks;)
		;
	SIS_LEAVE(1)
	return timed;
}

static void begin(void)
{
	sis__config.sampling = N;
	sis__config.rung = SIS_RUNG_FRACTION;
	rt_unit();
	SIS_ENTER(0)
	once(0);
}

static struct sis_node *node(void) { return self()->pub.current->last_child; }

static void short_ones(void)
{
	begin();
	while (node()->min >= 4096 || node()->calls % N != 0)
		once(0);
	uint64_t before = node()->total;
	for (int i = 0; i < BLOCKS * N; i++)
		seen->timed += once(0);
	seen->total = node()->total - before;
	SIS_LEAVE(0)
}

static void long_ones(void)
{
	sis__config.sampling = N;
	sis__config.rung = SIS_RUNG_FRACTION;
	rt_unit();
	SIS_ENTER(0)
	for (int i = 0; i < BLOCKS; i++)
		seen->timed += once(LONG);
	SIS_LEAVE(0)
}

/* Each begins with a leave that is due to the one before: of a jump out of it. */
static void left_by_jumps(void)
{
	begin();
	for (int i = 0; i < BLOCKS * N; i++) {
		SIS_ENTER(0)
		SIS_ENTER(2)
		SIS_LEAVE(0)
	}
	SIS_LEAVE(0)
}

static void run(struct rt_run *r, void (*body)(void))
{
	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(seen, MAP_FAILED);
	rt_run(r, body);
	ck_assert_int_eq(r->status, 0);
	ck_assert_int_eq(r->profiles, 1);
	rt_check_whole(&r->profile[0]);
	ck_assert_uint_eq(r->profile[0].header->timing, N);
}

START_TEST(one_of_each_n_short_activations_is_timed_and_counts_for_all)
{
	struct rt_run r;
	run(&r, short_ones);
	ck_assert_uint_eq(seen->timed, BLOCKS);
	ck_assert_uint_eq(seen->total % N, 0);
	ck_assert_uint_gt(seen->total, 0);
	struct sis_node *n = rt_node(&r.profile[0], 0, 0, 1, -1);
	ck_assert_uint_ge(n->calls, BLOCKS * N);
	ck_assert_uint_eq(n->calls % N, 0);
	ck_assert_uint_le(n->min, n->max);
	rt_free(&r);
}
END_TEST

START_TEST(long_activations_are_timed_each_time)
{
	struct rt_run r;
	run(&r, long_ones);
	ck_assert_uint_eq(seen->timed, BLOCKS);
	struct sis_node *n = rt_node(&r.profile[0], 0, 0, 1, -1),
			*outer = rt_node(&r.profile[0], 0, 0, -1);
	ck_assert_uint_eq(n->calls, BLOCKS);
	ck_assert_uint_ge(n->total, (uint64_t)BLOCKS * LONG);
	ck_assert_uint_le(n->total, outer->total);
	rt_free(&r);
}
END_TEST

START_TEST(what_tells_overheads_apart_is_timed_each_time)
{
	struct rt_run r;
	rt_unit_what(1, "CR_OMPCRITICAL - -");
	run(&r, short_ones);
	ck_assert_uint_eq(seen->timed, BLOCKS * N);
	rt_free(&r);
}
END_TEST

START_TEST(activations_that_a_jump_ends_are_counted_and_have_no_more_time_than_there_was)
{
	struct rt_run r;
	run(&r, left_by_jumps);
	struct sis_node *inner = rt_node(&r.profile[0], 0, 0, 0, 2, -1),
			*outer = rt_node(&r.profile[0], 0, 0, -1);
	ck_assert_uint_eq(inner->calls, BLOCKS * N);
	ck_assert_uint_le(inner->total, outer->total);
	ck_assert_uint_eq(rt_thread(&r.profile[0], 0)->unwound, BLOCKS * N);
	rt_free(&r);
}
END_TEST

/* -- sampled nodes ----------------------------------------------------------------------------- */

static void begin_sampled(void)
{
	sis__config.sampling = N;
	sis__config.rung = SIS_RUNG_SAMPLED;
	sis__config.sample_hz = 1;
	rt_unit();
	SIS_ENTER(0)
	once(0);
	while (node()->min >= SIS_SHORT)
		once(0);
}

static void only_counted(void)
{
	begin_sampled();
	uint64_t total = node()->total, calls = node()->calls;
	for (int i = 0; i < BLOCKS; i++)
		seen->timed += once(0);
	seen->total = node()->total - total;
	seen->timed += node()->calls - calls - BLOCKS;
	SIS_LEAVE(0)
}

/* Region 2 is long inside of region 1, which is sampled. */
static void timed_inside(void)
{
	begin_sampled();
	uint64_t total = node()->total;
	SIS_ENTER(1)
	SIS_ENTER(2)
	for (uint64_t from = sis__ticks(); sis__ticks() - from < LONG;)
		;
	SIS_LEAVE(2)
	SIS_LEAVE(1)
	seen->total = node()->total - total;
	seen->timed = node()->last_child->total;
	SIS_LEAVE(0)
}

/* An activation is timed to its end, or not at all, whatever rung its node has meanwhile. */
static void rung_changes(void)
{
	begin_sampled();
	node()->rung = SIS_RUNG_FULL;
	uint64_t total = node()->total;
	SIS_ENTER(1)
	self()->pub.current->rung = SIS_RUNG_SAMPLED;
	for (uint64_t from = sis__ticks(); sis__ticks() - from < LONG;)
		;
	SIS_LEAVE(1)
	seen->timed = node()->total - total;
	total = node()->total;
	SIS_ENTER(1)
	self()->pub.current->rung = SIS_RUNG_FULL;
	SIS_LEAVE(1)
	seen->total = node()->total - total;
	SIS_LEAVE(0)
}

static void deep(int depth)
{
	SIS_ENTER(1)
	if (depth > 0)
		deep(depth - 1);
	SIS_LEAVE(1)
}

static void recursive(void)
{
	begin_sampled();
	for (int i = 0; i < BLOCKS; i++)
		deep(100);
	SIS_LEAVE(0)
}

static void run_sampled(struct rt_run *r, void (*body)(void))
{
	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(seen, MAP_FAILED);
	rt_run(r, body);
	ck_assert_int_eq(r->status, 0);
	ck_assert_int_eq(r->profiles, 1);
	rt_check_whole(&r->profile[0]);
	ck_assert_uint_eq(r->profile[0].header->timing, 0);
}

START_TEST(sampled_activations_are_counted_and_not_timed)
{
	struct rt_run r;
	run_sampled(&r, only_counted);
	ck_assert_uint_eq(seen->timed, 0);
	ck_assert_uint_eq(seen->total, 0);
	rt_free(&r);
}
END_TEST

START_TEST(what_is_timed_inside_a_sampled_activation_is_its_time_too)
{
	struct rt_run r;
	run_sampled(&r, timed_inside);
	ck_assert_uint_ge(seen->total, LONG);
	ck_assert_uint_eq(seen->total, seen->timed);
	rt_free(&r);
}
END_TEST

START_TEST(an_open_activation_keeps_its_timing_when_the_rung_changes)
{
	struct rt_run r;
	run_sampled(&r, rung_changes);
	ck_assert_uint_ge(seen->timed, LONG);
	ck_assert_uint_eq(seen->total, 0);
	rt_free(&r);
}
END_TEST

START_TEST(folded_activations_are_counted)
{
	struct rt_run r;
	uint64_t calls = 0;
	run_sampled(&r, recursive);
	struct sis_node *n = rt_node(&r.profile[0], 0, 0, 1, -1);
	for (; n; n = n->children ? rt_at(&r.profile[0], n->last_child) : NULL)
		calls += n->calls;
	ck_assert_uint_ge(calls, BLOCKS * 101);
	rt_free(&r);
}
END_TEST

UNIT_MAIN("sampling", sampled_activations_are_counted_and_not_timed,
	  what_is_timed_inside_a_sampled_activation_is_its_time_too,
	  an_open_activation_keeps_its_timing_when_the_rung_changes,
	  folded_activations_are_counted,
	  one_of_each_n_short_activations_is_timed_and_counts_for_all,
	  long_activations_are_timed_each_time, what_tells_overheads_apart_is_timed_each_time,
	  activations_that_a_jump_ends_are_counted_and_have_no_more_time_than_there_was)
