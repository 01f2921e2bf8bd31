/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Welch's test against integrals and closed forms; Holm's correction. */
#include "unit.h"
#include <math.h>
#include "base/statistics.h"

/* Both tails of Student's distribution, integrated with x = tan(u) by the midpoint rule. */
static double tails(double t, double freedom)
{
	enum { STEPS = 200000 };
	double scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * M_PI),
	       sum = 0;
	double from = atan(t), step = (M_PI / 2 - from) / STEPS;
	for (int i = 0; i < STEPS; i++) {
		double u = from + (i + 0.5) * step, x = tan(u);
		sum += pow(1 + x * x / freedom, -(freedom + 1) / 2) / (cos(u) * cos(u)) * step;
	}
	return 2 * scale * sum;
}

START_TEST(unequal_variances_are_welchs)
{
	/* variances 5/3 and 10 */
	static const double a[] = { 1, 2, 3, 4 }, b[] = { 2, 4, 6, 8, 10 };
	double s_a = 5 / 12.0, s_b = 2, s = s_a + s_b;
	double p = tails(3.5 / sqrt(s), s * s / (s_a * s_a / 3 + s_b * s_b / 4));
	ck_assert_double_eq_tol(statistics_same(a, 4, b, 5), p, 1e-6);
	ck_assert_double_eq_tol(statistics_same(b, 5, a, 4), p, 1e-6);
}
END_TEST

/* With 2 and 2 values of equal variance there are 2 degrees of freedom, where p has a closed form:
 * p = 1 - t / sqrt(2 + t^2). */
START_TEST(few_values_have_heavy_tails)
{
	static const double a[] = { 1, 3 }, b[] = { 5, 7 }, far[] = { 101, 103 };
	double t = 4 / sqrt(2), u = 100 / sqrt(2);
	ck_assert_double_eq_tol(statistics_same(a, 2, b, 2), 1 - t / sqrt(2 + t * t), 1e-9);
	ck_assert_double_eq_tol(statistics_same(a, 2, far, 2), 1 - u / sqrt(2 + u * u), 1e-9);
	ck_assert_double_eq_tol(statistics_same(a, 2, a, 2), 1, 1e-12);
}
END_TEST

/* One against two: one degree of freedom (Cauchy), s^2 = 2 (1 + 1/2) = 3. */
START_TEST(one_run_borrows_the_others_noise)
{
	static const double one[] = { 8 }, two[] = { 1, 3 };
	ck_assert_double_eq_tol(statistics_same(one, 1, two, 2), 1 - 2 / M_PI * atan(6 / sqrt(3)),
				1e-9);
	ck_assert(isnan(statistics_same(one, 1, two, 1)));
}
END_TEST

START_TEST(no_noise_at_all)
{
	static const double a[] = { 2, 2, 2 }, b[] = { 3, 3 };
	ck_assert_double_eq(statistics_same(a, 3, b, 2), 0);
	ck_assert_double_eq(statistics_same(a, 3, a, 3), 1);
}
END_TEST

START_TEST(many_tests_are_adjusted)
{
	double p[] = { 0.01, 0.04, NAN, 0.03, 0.005 };
	static const double same[] = { 7, 7, 7, 7, 7 };
	statistics_adjust(p, same, 5);
	ck_assert_double_eq_tol(p[4], 0.02, 1e-12);
	ck_assert_double_eq_tol(p[0], 0.03, 1e-12);
	ck_assert_double_eq_tol(p[3], 0.06, 1e-12);
	ck_assert_double_eq_tol(p[1], 0.06, 1e-12);
	ck_assert(isnan(p[2]));
	statistics_adjust(p, same, 0);
}
END_TEST

/* Half of all weight doubles the probability; what is rejected first leaves its weight. */
START_TEST(tests_have_weights)
{
	double p[] = { 0.01, 0.03, 0.3, 0.004 };
	static const double weight[] = { 4, 3, 1, 0 };
	statistics_adjust(p, weight, 4);
	ck_assert_double_eq_tol(p[0], 0.02, 1e-12);
	ck_assert_double_eq_tol(p[1], 0.04, 1e-12);
	ck_assert_double_eq_tol(p[2], 0.3, 1e-12);
	ck_assert_double_eq_tol(p[3], 0.004, 1e-12);
}
END_TEST

START_TEST(variation_is_the_sum_of_squares)
{
	static const double x[] = { 1, 2, 6 };
	ck_assert_double_eq_tol(statistics_variation(x, 3), 14, 1e-12);
	ck_assert_double_eq_tol(statistics_variation(x, 1), 0, 1e-12);
}
END_TEST

UNIT_MAIN("statistics", unequal_variances_are_welchs, few_values_have_heavy_tails,
	  one_run_borrows_the_others_noise, no_noise_at_all, many_tests_are_adjusted,
	  tests_have_weights,
	  variation_is_the_sum_of_squares)
