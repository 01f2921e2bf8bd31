/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that overlap: what goes on when the one around it is left. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "measure/core/overlap.h"
#include "rt_support.h"

#include <stdlib.h>
#include <unistd.h>

static void work(void)
{
	uint64_t until = sis__ticks() + 200000;
	while (sis__ticks() < until)
		;
}

static void enter(int region) { sis__overlap_enter(&sis__unit, &sis__regions[region]); }
static void leave(int region) { sis__overlap_leave(&sis__regions[region]); }

static void twice_overlapped(void)
{
	rt_unit();
	SIS_ENTER(9)
	for (int i = 0; i < 3; i++) {
		enter(1);
		work();
		enter(2);
		work();
		SIS_ENTER(5)
		work();
		SIS_LEAVE(5)
		leave(1); /* 2 goes on */
		work();
		work();
		SIS_ENTER(5)
		SIS_LEAVE(5)
		leave(2);
	}
	SIS_LEAVE(9)
}

START_TEST(what_goes_on_is_one_activation_in_two_places)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, twice_overlapped);
	struct sis_node *around = rt_node(p, 0, 9, -1), *one = rt_node(p, 0, 9, 1, -1);
	struct sis_node *first = rt_node(p, 0, 9, 1, 2, -1), *rest = rt_node(p, 0, 9, 2, -1);
	ck_assert_uint_eq(one->calls, 3);
	ck_assert_uint_eq(first->calls, 3);
	ck_assert_uint_eq(rest->calls, 0);
	ck_assert_uint_eq(rt_node(p, 0, 9, 1, 2, 5, -1)->calls, 3);
	ck_assert_uint_eq(rt_node(p, 0, 9, 2, 5, -1)->calls, 3);
	ck_assert_uint_gt(rest->total, 6 * 200000);
	ck_assert_uint_le(first->total, one->total);
	ck_assert_uint_le(one->total + rest->total, around->total);
	ck_assert_uint_gt(first->min, 4 * 200000); /* of whole activations */
	ck_assert_uint_ge(first->total + rest->total, 3 * first->min);
	ck_assert_uint_le(first->total + rest->total, 3 * first->max);
	ck_assert_uint_eq(rest->max, 0);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched + rt_thread(p, 0)->unwound, 0);
	rt_free(&run);
}
END_TEST

static void three_deep(void)
{
	rt_unit();
	enter(1);
	enter(2);
	SIS_ENTER(7) /* left by a jump that has no probe */
	enter(3);
	leave(1);
	leave(2);
	leave(3);
	leave(3); /* not open */
	ck_assert_ptr_eq(sis__thread()->pub.current, sis__thread()->pub.root);
	ck_assert_uint_eq(sis__thread()->overlaps, 0);
}

START_TEST(several_go_on_in_their_order)
{
	struct rt_run run;
	rt_run(&run, three_deep);
	ck_assert_int_eq(run.status, 0);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(rt_node(p, 0, 1, 2, 7, 3, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(p, 0, 2, -1)->calls, 0);
	ck_assert_uint_eq(rt_node(p, 0, 2, 3, -1)->calls, 0);
	ck_assert_uint_eq(rt_node(p, 0, 3, -1)->calls, 0);
	ck_assert_uint_eq(rt_thread(p, 0)->unwound, 1);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched, 1);
	rt_free(&run);
}
END_TEST

static void with_metrics(void)
{
	rt_unit_what(2, "CR_A - CTIME,MINFLT");
	rt_unit();
	enter(1);
	enter(2);
	work();
	leave(1);
	work();
	leave(2);
}

START_TEST(metrics_are_where_they_were_spent)
{
	struct rt_run run;
	rt_run(&run, with_metrics);
	ck_assert_int_eq(run.status, 0);
	struct rt_profile *p = &run.profile[0];
	struct sis_values *first = rt_at(p, rt_node(p, 0, 1, 2, -1)->values),
			  *rest = rt_at(p, rt_node(p, 0, 2, -1)->values);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_nonnull(rest);
	ck_assert_uint_gt(first->value[0].sum, 0);
	ck_assert_uint_gt(rest->value[0].sum, 0);
	rt_free(&run);
}
END_TEST

static void more_than_are_kept(void)
{
	rt_unit();
	for (int i = 0; i <= SIS_OVERLAPS + 3; i++)
		enter(i);
	leave(0);
	for (int i = 1; i <= SIS_OVERLAPS + 3; i++)
		leave(i);
	ck_assert_ptr_eq(sis__thread()->pub.current, sis__thread()->pub.root);
}

START_TEST(too_many_are_counted)
{
	struct rt_run run;
	rt_run_whole(&run, more_than_are_kept);
	ck_assert_uint_eq(rt_thread(&run.profile[0], 0)->unwound, 4);
	ck_assert_uint_eq(rt_thread(&run.profile[0], 0)->mismatched, 4);
	rt_free(&run);
}
END_TEST

static void ends_inside(void)
{
	rt_unit();
	enter(1);
	enter(2);
	work();
	leave(1);
	_exit(0 * usleep(1000));
}

static void exits_inside(void)
{
	rt_unit();
	enter(1);
	enter(2);
	work();
	leave(1);
}

START_TEST(the_end_closes_what_goes_on)
{
	struct rt_run run;
	rt_run(&run, exits_inside);
	struct sis_node *first = rt_node(&run.profile[0], 0, 1, 2, -1),
			*rest = rt_node(&run.profile[0], 0, 2, -1);
	ck_assert_uint_eq(first->max, first->total + rest->total);
	ck_assert_uint_gt(rest->total, 0);
	rt_free(&run);
	rt_run(&run, ends_inside);
	ck_assert_ptr_eq(rt_at(&run.profile[0], rt_thread(&run.profile[0], 0)->current),
			 rt_node(&run.profile[0], 0, 2, -1));
	rt_free(&run);
}
END_TEST

static void begin(int region) { sis__annotation_enter(&sis__regions[region]); }
static void end(int region) { sis__annotation_leave(&sis__regions[region]); }

static void annotated(void)
{
	rt_unit();
	SIS_ENTER(9)
	for (int i = 0; i < 20; i++) {
		SIS_ENTER(5) /* a function that begins an annotation for others */
		begin(1);
		SIS_LEAVE(5)
		work();
		SIS_ENTER(6) /* and one that ends it */
		end(1);
		SIS_LEAVE(6)
		begin(2);
		begin(3);
		end(2); /* 3 goes on */
		end(3);
	}
	end(1); /* not open */
	SIS_LEAVE(9)
	ck_assert_ptr_eq(sis__thread()->pub.current, sis__thread()->pub.root);
	ck_assert_uint_eq(sis__thread()->overlaps, 0);
}

static void annotated_fraction(void)
{
	setenv("SIS_TIMING", "1/16", 1);
	annotated();
}

static void annotated_sampled(void)
{
	setenv("SIS_TIMING", "sample", 1);
	annotated();
}

static void check_annotated(void (*body)(void))
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, body);
	ck_assert_uint_eq(rt_node(p, 0, 9, 5, 1, -1)->calls, 20);
	ck_assert_uint_eq(rt_node(p, 0, 9, 1, -1)->calls, 0);
	ck_assert_uint_eq(rt_node(p, 0, 9, 1, 6, -1)->calls, 20);
	ck_assert_uint_eq(rt_node(p, 0, 9, 6, -1)->calls, 0);
	ck_assert_uint_eq(rt_node(p, 0, 9, 2, -1)->calls, 20);
	ck_assert_uint_eq(rt_node(p, 0, 9, 2, 3, -1)->calls, 20);
	ck_assert_uint_eq(rt_node(p, 0, 9, 3, -1)->calls, 0);
	ck_assert_uint_gt(rt_node(p, 0, 9, 1, -1)->total, 20 * 200000);
	ck_assert_uint_eq(rt_thread(p, 0)->unwound, 0);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched, 1);
	rt_free(&run);
}

START_TEST(annotations_go_on_around_functions)
{
	check_annotated(annotated);
	check_annotated(annotated_fraction);
	check_annotated(annotated_sampled);
}
END_TEST

UNIT_MAIN("overlap", annotations_go_on_around_functions, what_goes_on_is_one_activation_in_two_places, several_go_on_in_their_order,
	  metrics_are_where_they_were_spent, too_many_are_counted, the_end_closes_what_goes_on)
