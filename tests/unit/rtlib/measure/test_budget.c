/* SPDX-License-Identifier: BSD-3-Clause */
/* The budget of the probes, over loads that are simulated: it reaches its limit, and does not
 * oscillate. */
/* link: rtlib/measure/sampling/budget.c */
#include "unit.h"

#include "measure/sampling/budget.h"

#define WINDOW UINT64_C(10000000) /* ns of CPU time between two looks */
enum { MOST = 1000, LOWEST = 3 };
static const sis_budget_costs cost = { 20, 3, 1, 0.1 };

/* Visits a nanosecond of an item at a time. */
typedef double load_fn(size_t item, uint64_t ns);

struct outcome {
	double cost, most_late;  /* at the end; the largest mean over a second, but for the first */
	unsigned turns;
	unsigned at[SIS_BUDGET_RUNGS]; /* items by rung */
	struct sis_budget_item item[MOST];
};

/* What the runtime does at the end of a window. */
static bool look(struct sis_budget *budget, const struct sis_budget_items *items, uint64_t ns)
{
	double change = sis__budget_change(budget, sis__budget_cost(items, cost), ns);
	uint8_t before[MOST];
	bool turned = false;
	for (size_t i = 0; i < items->count; i++)
		before[i] = items->item[i].rung;
	if (change < 0)
		sis__budget_all_down(items, cost, LOWEST, -change);
	else if (change > 0)
		sis__budget_all_up(items, cost, LOWEST, change);
	for (size_t i = 0; i < items->count; i++)
		turned |= before[i] != items->item[i].rung;
	if (turned)
		sis__budget_turned(budget, change < 0, ns);
	return turned;
}

/* A run of so many seconds. Items begin at rung 0. */
static struct outcome simulate(load_fn *load, size_t n, unsigned seconds, uint8_t lowest)
{
	static struct outcome o;
	struct sis_budget budget;
	struct sis_budget_items items = { o.item, n, NULL };
	double spent = 0;
	o = (struct outcome){ .turns = 0 };
	for (size_t i = 0; i < n; i++)
		o.item[i] = (struct sis_budget_item){ .rate = -1, .lowest = lowest };
	sis__budget_init(&budget, 0.05, 0);
	for (uint64_t ns = WINDOW; ns <= seconds * UINT64_C(1000000000); ns += WINDOW) {
		for (size_t i = 0; i < n; i++) {
			double rate = load(i, ns - WINDOW);
			spent += rate * cost[o.item[i].rung] * WINDOW;
			o.item[i].rate = sis__budget_mean(o.item[i].rate, rate);
		}
		o.turns += look(&budget, &items, ns);
		if (ns % 1000000000 == 0) {
			if (ns > 1000000000 && spent / 1e9 > o.most_late)
				o.most_late = spent / 1e9;
			spent = 0;
		}
	}
	o.cost = sis__budget_cost(&items, cost);
	for (size_t i = 0; i < n; i++)
		o.at[o.item[i].rung]++;
	return o;
}

static double one_hot(size_t item, uint64_t ns)
{
	(void)ns;
	return item == 0 ? 0.01 : 1e-6; /* a visit in 100 ns: 20 % */
}

START_TEST(one_hot_function_is_turned_down_and_the_others_are_not)
{
	struct outcome o = simulate(one_hot, 100, 30, LOWEST);
	ck_assert_uint_eq(o.at[0], 99);
	ck_assert_uint_eq(o.item[0].rung, 1);
	ck_assert(o.cost <= 0.05 && o.most_late <= 0.05);
	ck_assert_uint_eq(o.turns, 1);
}
END_TEST

static double small_ones(size_t item, uint64_t ns)
{
	(void)item;
	(void)ns;
	return 1e-5; /* 0.02 % each, 20 % together */
}

START_TEST(of_many_small_ones_no_more_are_turned_down_than_needed)
{
	struct outcome o = simulate(small_ones, 1000, 30, LOWEST);
	ck_assert(o.cost <= 0.0405 && o.cost >= 0.035);
	ck_assert_uint_gt(o.at[0], 0);
	ck_assert_uint_eq(o.at[2] + o.at[3], 0);
	ck_assert_uint_eq(o.turns, 1);
}
END_TEST

static double everywhere_hot(size_t item, uint64_t ns)
{
	(void)item;
	(void)ns;
	return 1e-4;  /* 1000 of them: 200 % when all are timed, 10 % when all are sampled */
}

START_TEST(all_of_a_rung_are_turned_before_any_of_the_next)
{
	struct outcome o = simulate(everywhere_hot, 1000, 30, LOWEST);
	ck_assert_uint_eq(o.at[0] + o.at[1], 0);
	ck_assert_uint_gt(o.at[2], 300);
	ck_assert(o.cost <= 0.05);
}
END_TEST

START_TEST(what_cannot_go_lower_stays_where_it_is)
{
	struct outcome o = simulate(everywhere_hot, 1000, 30, 2);
	ck_assert_uint_eq(o.at[2], 1000);
	ck_assert(o.cost > 0.05); /* sis__budget_all_down returns what is missing */
}
END_TEST

/* Half of the functions run in one phase, half in the other; both phases cost 20 %. */
static double phases(size_t item, uint64_t ns, uint64_t length)
{
	return (ns / length + item) % 2 == 0 ? 2e-4 : 0;
}
static double short_phases(size_t item, uint64_t ns) { return phases(item, ns, 20000000); }
static double long_phases(size_t item, uint64_t ns) { return phases(item, ns, 2000000000); }

START_TEST(phases_of_20_ms_are_one_load)
{
	struct outcome o = simulate(short_phases, 100, 60, LOWEST);
	ck_assert_uint_le(o.turns, 8);
	ck_assert(o.most_late <= 0.05);
}
END_TEST

START_TEST(phases_of_2_s_are_followed_and_do_not_oscillate)
{
	struct outcome o = simulate(long_phases, 100, 120, LOWEST);
	ck_assert_uint_le(o.turns, 24);
	ck_assert(o.most_late <= 0.06);
}
END_TEST

static double hot_at_first(size_t item, uint64_t ns)
{
	(void)item;
	return ns < 5000000000 ? 0.01 : 1e-5;
}

START_TEST(what_is_not_hot_any_more_is_timed_again)
{
	struct outcome o = simulate(hot_at_first, 2, 60, LOWEST);
	ck_assert_uint_eq(o.at[0], 2);
	ck_assert_uint_le(o.turns, 8);
}
END_TEST

/* The load is at the limit, and noisy. */
static double at_the_limit(size_t item, uint64_t ns)
{
	uint64_t noise = (ns / WINDOW * 31 + item) * 0x9e3779b97f4a7c15u >> 56;
	return 2.3e-5 * (0.8 + 0.4 * (double)noise / 255);
}

START_TEST(a_noisy_load_at_the_limit_is_left_alone)
{
	struct outcome o = simulate(at_the_limit, 100, 120, LOWEST);
	ck_assert_uint_le(o.turns, 3);
	ck_assert(o.most_late <= 0.05);
}
END_TEST

/* Polls of MPI: at the lowest rung their cost does not count. Otherwise the others would be turned
 * down, which could not save enough. */
START_TEST(nothing_is_turned_down_for_what_only_waits)
{
	struct sis_budget_item item[] = {
		{ .rate = 0.02, .lowest = 1, .waits = true }, /* 40 %, and then 6 % */
		{ .rate = 1e-3, .lowest = LOWEST },           /* 2 % */
	};
	const struct sis_budget_items items = { item, 2, NULL };
	double much = sis__budget_cost(&items, cost);
	ck_assert(much > 0.41);
	ck_assert(sis__budget_all_down(&items, cost, LOWEST, much - 0.04) == 0);
	ck_assert_uint_eq(item[0].rung, 1);
	ck_assert_uint_eq(item[1].rung, 0);
	double little = sis__budget_cost(&items, cost);
	ck_assert(little > 0.019 && little < 0.021);
	sis__budget_all_up(&items, cost, LOWEST, 0.035 - little);
	ck_assert_uint_eq(item[0].rung, 1);
}
END_TEST

START_TEST(nothing_costs_nothing)
{
	struct outcome o = simulate(one_hot, 0, 2, LOWEST);
	ck_assert(o.cost == 0 && o.turns == 0);
}
END_TEST

UNIT_MAIN("budget", one_hot_function_is_turned_down_and_the_others_are_not,
	  of_many_small_ones_no_more_are_turned_down_than_needed,
	  all_of_a_rung_are_turned_before_any_of_the_next, what_cannot_go_lower_stays_where_it_is,
	  phases_of_20_ms_are_one_load, phases_of_2_s_are_followed_and_do_not_oscillate,
	  what_is_not_hot_any_more_is_timed_again, a_noisy_load_at_the_limit_is_left_alone,
	  nothing_is_turned_down_for_what_only_waits, nothing_costs_nothing)
