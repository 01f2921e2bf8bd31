/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Differences beyond noise: a slower region among many is found, and noise alone fails no gate. The
 * noise is from a generator with a fixed seed. */
#include "unit.h"
#include <math.h>
#include <stdint.h>
#include "answers/query/significance.h"

enum { REGIONS = 200, RUNS = 12 };

static uint64_t state;

/* Between 0 and 1, both excluded (xorshift64*). */
static double uniform(void)
{
	state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
	return ((double)(state * 0x2545f4914f6cdd1dull >> 11) + 0.5) / 0x1p53;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

struct series {
	size_t n_a, n_b, slower; /* slower: a region, 0: none */
	double by;               /* its factor in the second series */
	double noise;            /* standard deviation, a part of each region's time */
	double all;              /* the same, of all regions of a run together */
	bool uneven;             /* times differ, and some regions have ten times the noise */
};

static double x[REGIONS + 1][RUNS];
static struct tested tested[REGIONS + 1];

static void make(const struct series *s)
{
	for (size_t run = 0; run < s->n_a + s->n_b; run++) {
		double all = 1 + s->all * normal();
		x[0][run] = 0;
		for (size_t r = 1; r <= REGIONS; r++) {
			double t = s->uneven ? 0.05 / (double)r : 0.005;
			double noise = s->uneven && r % 10 == 3 ? 10 * s->noise : s->noise;
			if (r == s->slower && run >= s->n_a)
				t *= s->by;
			x[r][run] = t * all * (1 + noise * normal());
			x[0][run] += x[r][run];
		}
	}
	for (size_t r = 0; r <= REGIONS; r++)
		tested[r] = (struct tested){ .x = x[r], .in_a = true, .in_b = true };
}

static const struct limits limits = { .change = 0.05, .share = 0.001, .chance = 0.05 };

/* Of `rounds` comparisons: how often the slower region is found, and how often any other fails. */
struct counts { int found, failed, any; };
static struct counts compare(const struct series *s, const struct limits *l, int rounds)
{
	struct counts c = { 0 };
	state = 88172645463325252ull;
	for (int i = 0; i < rounds; i++) {
		bool failed = false, any = false;
		make(s);
		significance_test(tested, REGIONS + 1, s->n_a, s->n_b, l);
		for (size_t r = 0; r <= REGIONS; r++) {
			failed |= tested[r].fails && (r == 0 || r != s->slower);
			any |= tested[r].verdict != SAME;
		}
		c.found += s->slower && tested[s->slower].fails;
		c.failed += failed;
		c.any += any;
	}
	return c;
}

/* 39 % in one of 200 equal functions, with 3 to 5 runs and noise of 2 %. */
START_TEST(one_slower_region_among_many_is_found)
{
	for (size_t runs = 3; runs <= 5; runs++) {
		struct series s = { .n_a = runs, .n_b = runs, .slower = 17, .by = 1.39,
				    .noise = 0.02 };
		ck_assert_int_ge(compare(&s, &limits, 200).found, 190);
	}
}
END_TEST

/* The program is 39 % slower because of one function. */
START_TEST(what_slows_the_program_is_found)
{
	struct series s = { .n_a = 3, .n_b = 3, .slower = 3, .by = 24.4, .noise = 0.05,
			    .all = 0.02 };
	ck_assert_int_ge(compare(&s, &limits, 200).found, 190);
	ck_assert_int_eq(tested[0].fails, true);
}
END_TEST

/* At most 5 % of all comparisons find anything, and those that only find something faster, or
 * slower by less than the limit, do not fail. */
START_TEST(noise_alone_fails_no_gate)
{
	static const struct limits strict = { .change = 0, .share = 0, .chance = 0.05 };
	static const struct series series[] = {
		{ .n_a = 3, .n_b = 3, .noise = 0.02 },
		{ .n_a = 5, .n_b = 5, .noise = 0.1 },
		{ .n_a = 3, .n_b = 3, .noise = 0.02, .all = 0.05 },
		{ .n_a = 3, .n_b = 5, .noise = 0.02, .uneven = true },
		{ .n_a = 4, .n_b = 4, .noise = 0.03, .all = 0.02, .uneven = true },
		{ .n_a = 2, .n_b = 2, .noise = 0.05, .uneven = true },
		{ .n_a = 1, .n_b = 4, .noise = 0.05 },
	};
	for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
		ck_assert_int_le(compare(&series[i], &strict, 2000).any, 125);
		ck_assert_int_le(compare(&series[i], &limits, 2000).failed, 63);
	}
}
END_TEST

/* A slower region does not make others fail. */
START_TEST(neighbours_of_a_slower_region_stay)
{
	struct series s = { .n_a = 4, .n_b = 4, .slower = 5, .by = 1.39, .noise = 0.03 };
	static const struct limits gate = { .change = 0.01, .share = 0.0001, .chance = 0.05 };
	ck_assert_int_le(compare(&s, &gate, 1000).failed, 32);
}
END_TEST

START_TEST(probes_and_new_regions_never_fail)
{
	static const double program[] = { 1, 1.01, 1.02, 1.5, 1.52, 1.51 };
	static const double probe[] = { 0.1, 0.11, 0.1, 0.5, 0.52, 0.51 };
	static const double fresh[] = { 0, 0, 0, 0.1, 0.1, 0.11 };
	struct tested t[] = { { .x = program, .in_a = true, .in_b = true },
			      { .x = probe, .in_a = true, .in_b = true, .never_fails = true },
			      { .x = fresh, .in_b = true } };
	significance_test(t, 3, 3, 3, &limits);
	ck_assert(t[0].fails && t[0].verdict == SLOWER && t[0].p_value < 0.05);
	ck_assert(!t[1].fails && t[1].verdict == SLOWER);
	ck_assert(!t[2].fails && t[2].verdict == NEW && isnan(t[2].p_value));
}
END_TEST

/* Nor do they take any of the 5 % from the others. */
START_TEST(probes_and_new_regions_take_nothing)
{
	static const double program[] = { 1, 1.01, 1.02, 1.5, 1.52, 1.51 };
	static const double region[] = { 0.1, 0.11, 0.1, 0.12, 0.12, 0.13 };
	static const double probe[] = { 0.1, 0.11, 0.1, 0.5, 0.52, 0.51 };
	static const double fresh[] = { 0, 0, 0, 0.1, 0.1, 0.11 };
	struct tested t[] = { { .x = program, .in_a = true, .in_b = true },
			      { .x = region, .in_a = true, .in_b = true },
			      { .x = probe, .in_a = true, .in_b = true, .never_fails = true },
			      { .x = fresh, .in_b = true } };
	significance_test(t, 2, 3, 3, &limits);
	double alone = t[1].p_value;
	significance_test(t, 4, 3, 3, &limits);
	ck_assert_double_eq(t[1].p_value, alone);
}
END_TEST

/* What cannot matter takes nothing from the others, and has no probability. */
START_TEST(regions_that_cannot_matter_are_not_tested)
{
	static const double program[] = { 1, 1.01, 1.02, 1.03 };
	static const double small[] = { 1e-5, 1.1e-5, 9e-5, 9.1e-5 };
	struct tested t[] = { { .x = program, .in_a = true, .in_b = true },
			      { .x = small, .in_a = true, .in_b = true } };
	significance_test(t, 2, 2, 2, &limits);
	ck_assert(isnan(t[1].p_value) && t[1].verdict == SAME && !t[1].fails);
}
END_TEST

/* Without a test, only the program can fail. */
START_TEST(one_run_each_is_not_tested)
{
	static const double program[] = { 1, 1.2 }, region[] = { 0.3, 0.5 };
	struct tested t[] = { { .x = program, .in_a = true, .in_b = true },
			      { .x = region, .in_a = true, .in_b = true } };
	significance_test(t, 2, 1, 1, &limits);
	ck_assert(isnan(t[0].p_value) && t[0].verdict == SLOWER && t[0].fails);
	ck_assert(isnan(t[1].p_value) && t[1].verdict == SLOWER && !t[1].fails);
}
END_TEST

UNIT_MAIN("significance", one_slower_region_among_many_is_found, what_slows_the_program_is_found,
	  noise_alone_fails_no_gate, neighbours_of_a_slower_region_stay,
	  probes_and_new_regions_never_fail, probes_and_new_regions_take_nothing,
	  regions_that_cannot_matter_are_not_tested, one_run_each_is_not_tested)
