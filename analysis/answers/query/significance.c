/* SPDX-License-Identifier: BSD-3-Clause */
/* significance.c - see significance.h. Owns nothing; one thread.
 *
 * Each sample is tested with Welch's test, and the probabilities are corrected for the number of
 * tests (Holm). So if there is only noise, at most 5 % of all comparisons find a difference. Two
 * rules divide these 5 % among the tests. The rules look at the values of all runs together, not at
 * which series a run belongs to. If there is only noise, the result of a test does not depend on
 * those values. So the rules may use the values that are tested, and the 5 % still hold.
 *
 *   Which regions are tested  If the squared deviations from the mean of all runs add up to v, the
 *                             two means differ by at most sqrt(v (n_a + n_b) / (n_a n_b)). Regions
 *                             for which this is too little to matter are not tested. Nor are
 *                             those that only one series has.
 *   Share of each test        The test of the program gets half of the 5 %. The tests of regions
 *                             divide the other half in proportion to v, so the region that varies
 *                             most in seconds gets most. If one region alone became slower, it has
 *                             most of v. A region that never fails (`never_fails`) gets nothing,
 *                             and its probability is not corrected.
 *
 * Without these rules, each of 200 regions would get 1/200 of the 5 %, and three runs could not
 * show that one of them takes 39 % longer.
 *
 * LIMIT: Welch's test assumes that the noise of runs is normal and independent. Runs that were slow
 * because of another program are not independent if they follow each other: a series of them looks
 * like a slower program. */
#include "answers/query/significance.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/statistics.h"

struct runs { size_t n_a, n_b; double matters; }; /* matters: least relevant difference, s */

static void adjust(struct tested *tested, size_t n, const struct runs *runs)
{
	double *p = mem_alloc(n, sizeof *p), *weight = mem_alloc(n, sizeof *weight), sum = 0;
	double n_a = (double)runs->n_a, n_b = (double)runs->n_b;
	for (size_t i = 0; i < n; i++) {
		const double *x = tested[i].x;
		double variation = statistics_variation(x, runs->n_a + runs->n_b);
		bool both = tested[i].in_a && tested[i].in_b;
		/* the largest difference of means that these values can have, in any division into
		 * two series */
		double largest = sqrt(variation * (n_a + n_b) / (n_a * n_b));
		bool tests = both && (!i || largest > runs->matters);
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

/* With one run in each series there is no test. Then the whole program can still fail, because the
 * user has set a limit for it. A region cannot, because its noise may be larger than the limit. */
static void judge(struct tested *t, bool program, const struct runs *runs,
		  const struct limits *limits)
{
	double a = statistics_mean(t->x, runs->n_a);
	double by = statistics_mean(t->x + runs->n_a, runs->n_b) - a;
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
