/* SPDX-License-Identifier: BSD-3-Clause */
/* significance.c - see significance.h. Owns nothing; one thread.
 *
 * Each sample is tested with Welch's test, and the probabilities are corrected for the number of
 * tests (Holm). So if there is only noise, at most 5 % of all comparisons find a difference. These
 * 5 % are divided by two rules that look at the values of all runs together, and not at which
 * series a run belongs to. If there is only noise, the result of a test does not depend on what
 * they look at. So they may use the values that are tested, and the 5 % hold.
 *
 *   Which regions are tested  If the squared deviations from the mean of all runs add up to v, the
 *                             two means differ by at most sqrt(v (n_a + n_b) / (n_a n_b)). Regions
 *                             for which this is too little to matter are not tested. Nor are
 *                             those that only one series has.
 *   How much of it each gets  The program gets half. The regions divide the other half in
 *                             proportion to v: what varies most in seconds gets most. If one
 *                             region alone became slower, it has most of v. What never fails
 *                             gets nothing, and is tested alone.
 *
 * Without these rules, each of 200 regions would get 1/200 of the 5 %, and three runs could not
 * show that one of them takes 39 % longer.
 *
 * LIMIT: Welch's test assumes that the noise of runs is normal and independent. Runs that were slow
 * because of another program are not independent if they follow each other: a series of them looks
 * like a slower program. */
#include "query/significance.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/statistics.h"

struct runs { size_t n_a, n_b; double matters; }; /* matters: least difference, seconds */

static double difference(const struct tested *t, const struct runs *runs)
{
	return statistics_mean(t->x + runs->n_a, runs->n_b) - statistics_mean(t->x, runs->n_a);
}

/* The largest difference of means that these values have, if they are divided in any way. */
static double largest_difference(double variation, const struct runs *runs)
{
	double a = (double)runs->n_a, b = (double)runs->n_b;
	return sqrt(variation * (a + b) / (a * b));
}

static void adjust(struct tested *tested, size_t n, const struct runs *runs)
{
	double *p = mem_alloc(n, sizeof *p), *weight = mem_alloc(n, sizeof *weight), sum = 0;
	for (size_t i = 0; i < n; i++) {
		const double *x = tested[i].x;
		double variation = statistics_variation(x, runs->n_a + runs->n_b);
		bool both = tested[i].in_a && tested[i].in_b;
		bool tests = both && (!i || largest_difference(variation, runs) > runs->matters);
		p[i] = tests ? statistics_same(x, runs->n_a, x + runs->n_a, runs->n_b) : NAN;
		weight[i] = isnan(p[i]) || tested[i].never_fails ? 0 : variation;
		sum += i > 0 ? weight[i] : 0;
	}
	weight[0] = sum > 0 ? sum : 1;
	statistics_adjust(p, weight, n);
	for (size_t i = 0; i < n; i++)
		tested[i].p_value = p[i];
	free(weight);
	free(p);
}

/* With one run in each series there is no test. Then the time of the whole program may fail, as the
 * user has set its limit. Of a region it is not known whether noise is larger than the limit. */
static void judge(struct tested *t, bool program, const struct runs *runs,
		  const struct limits *limits)
{
	double by = difference(t, runs), a = statistics_mean(t->x, runs->n_a);
	bool tested = runs->n_a + runs->n_b > 2;
	bool matters = fabs(by) > runs->matters && (!tested || t->p_value < limits->chance);
	t->verdict = !t->in_a ? NEW : !t->in_b ? GONE : SAME;
	if (matters && t->verdict == SAME)
		t->verdict = by > 0 ? SLOWER : FASTER;
	t->fails = limits->change >= 0 && t->verdict == SLOWER && !t->never_fails &&
		(tested || program) && by > limits->change * a;
}

void significance_test(struct tested *tested, size_t n, size_t n_a, size_t n_b,
		       const struct limits *limits)
{
	struct runs runs = { n_a, n_b, limits->share * statistics_mean(tested[0].x, n_a + n_b) };
	adjust(tested, n, &runs);
	for (size_t i = 0; i < n; i++)
		judge(&tested[i], i == 0, &runs, limits);
}
