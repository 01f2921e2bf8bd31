/* SPDX-License-Identifier: BSD-3-Clause */
/* test_rule_logic.c - rules at work: when they act, what they ask, what is usual. */
/* link: rtlib/measure/control/rule_logic.c */
#include "unit.h"

#include "measure/control/rule_logic.h"

#include <math.h>

#define SECOND UINT64_C(1000000000)

/* -- when a rule acts -------------------------------------------------------------------------- */

static struct sis_rule_state state;
static struct sis_control_rule rule;

static void begin(uint64_t hold_ns)
{
	state = (struct sis_rule_state){ .answer = SIS_CONTROL_UNKNOWN,
					 .acted = SIS_CONTROL_UNKNOWN };
	rule = (struct sis_control_rule){ .hold_ns = hold_ns };
}

static bool decides(enum sis_control_answer answer, uint64_t seconds)
{
	return sis__rule_decide(&state, &rule, answer, seconds * SECOND);
}

START_TEST(a_rule_acts_once_for_each_answer)
{
	begin(0);
	ck_assert(!decides(SIS_CONTROL_NO, 1)); /* nothing was done that could be taken back */
	ck_assert(decides(SIS_CONTROL_YES, 2));
	ck_assert(!decides(SIS_CONTROL_YES, 3));
	ck_assert(!decides(SIS_CONTROL_UNKNOWN, 4));
	ck_assert(!decides(SIS_CONTROL_YES, 5));
	ck_assert(decides(SIS_CONTROL_NO, 6));
	ck_assert(!decides(SIS_CONTROL_NO, 7));
	ck_assert(decides(SIS_CONTROL_YES, 8));
}
END_TEST

START_TEST(an_answer_has_to_last)
{
	begin(3 * SECOND);
	ck_assert(!decides(SIS_CONTROL_YES, 10));
	ck_assert(!decides(SIS_CONTROL_YES, 12));
	ck_assert(!decides(SIS_CONTROL_NO, 13));
	ck_assert(!decides(SIS_CONTROL_YES, 14)); /* begins anew */
	ck_assert(!decides(SIS_CONTROL_YES, 16));
	ck_assert(decides(SIS_CONTROL_YES, 17));
	ck_assert(!decides(SIS_CONTROL_NO, 18));
	ck_assert(!decides(SIS_CONTROL_YES, 19));
	ck_assert(!decides(SIS_CONTROL_NO, 20));
	ck_assert(decides(SIS_CONTROL_NO, 23));
}
END_TEST

/* -- what is asked ----------------------------------------------------------------------------- */

START_TEST(sums_of_a_node)
{
	struct sis_region_sums sums = { 0 };
	struct sis_node node = { .calls = 5, .total = 400, .start = 1000 };
	sis__sum_add(&sums, &node, false, 1100);
	ck_assert_uint_eq(sums.calls, 5);
	ck_assert_uint_eq(sums.ended, 5);
	ck_assert_uint_eq(sums.so_far, 400);
	sis__sum_add(&sums, &node, true, 1100);
	ck_assert_uint_eq(sums.calls, 10);
	ck_assert_uint_eq(sums.ended, 9);
	ck_assert_uint_eq(sums.ticks, 800);
	ck_assert_uint_eq(sums.so_far, 900);
	sis__sum_add(&sums, &node, true, 900); /* it began on another processor just now */
	ck_assert_uint_eq(sums.so_far, 1300);
}
END_TEST

START_TEST(measures_of_a_period)
{
	const struct sis_period period = { .seconds = 2, .threads = 4, .ticks_per_second = 100 };
	const struct sis_region_sums before = { 10, 10, 1000, 1000 },
				     now = { 16, 14, 1200, 1400 };
	ck_assert_double_eq(sis__measure_of(SIS_CONTROL_TIME, &before, &now, &period), 0.5);
	ck_assert_double_eq(sis__measure_of(SIS_CONTROL_CALLS, &before, &now, &period), 3);
	ck_assert_double_eq(sis__measure_of(SIS_CONTROL_SHARE, &before, &now, &period), 0.5);
	ck_assert(isnan(sis__measure_of(SIS_CONTROL_TIME, &before, &before, &period)));
	ck_assert_double_eq(sis__measure_of(SIS_CONTROL_CALLS, &before, &before, &period), 0);
}
END_TEST

/* -- what is usual ----------------------------------------------------------------------------- */

START_TEST(history_of_a_steady_region)
{
	struct sis_history history = { 0 };
	ck_assert(isnan(sis__history_usual(&history)));
	for (int i = 0; i < 50; i++)
		sis__history_add(&history, i % 2 ? 9 : 11, false);
	ck_assert_double_eq_tol(sis__history_usual(&history), 10, 0.1);
	ck_assert_double_eq_tol(sis__history_spread(&history), 1, 0.1);
	sis__history_add(&history, NAN, false);
	ck_assert_double_eq_tol(sis__history_usual(&history), 10, 0.1);
}
END_TEST

/* While a rule takes something for unusual, it does not become usual; after long it does. */
START_TEST(history_is_held)
{
	struct sis_history history = { 0 };
	for (int i = 0; i < 20; i++)
		sis__history_add(&history, 10, false);
	for (int i = 0; i < 20; i++)
		sis__history_add(&history, 40, true);
	ck_assert_double_eq(sis__history_usual(&history), 10);
	for (int i = 0; i < 300; i++)
		sis__history_add(&history, 40, true);
	ck_assert_double_eq_tol(sis__history_usual(&history), 40, 0.1);
}
END_TEST

UNIT_MAIN("rule_logic", a_rule_acts_once_for_each_answer, an_answer_has_to_last, sums_of_a_node,
	  measures_of_a_period, history_of_a_steady_region, history_is_held)
