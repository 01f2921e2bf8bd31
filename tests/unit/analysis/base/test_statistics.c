/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Welch's test against integrals and closed forms; Holm's correction; series and lines. */
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

START_TEST(a_series_has_quartiles_and_an_interval)
{
	double x[] = { 9, 1, 4, 3, 8 };
	struct series s;
	statistics_series(&s, x, 5);
	ck_assert_uint_eq(s.n, 5);
	ck_assert_double_eq_tol(s.median, 4, 1e-12);
	ck_assert_double_eq_tol(s.lower_quartile, 3, 1e-12);
	ck_assert_double_eq_tol(s.upper_quartile, 8, 1e-12);
	ck_assert_double_eq_tol(s.mean, 5, 1e-12);
	/* variance 46/4, four degrees of freedom */
	double half = 2.7764451 * sqrt(46 / 4.0 / 5);
	ck_assert_double_eq_tol(s.low, 5 - half, 1e-5);
	ck_assert_double_eq_tol(s.high, 5 + half, 1e-5);
}
END_TEST

START_TEST(quartiles_of_an_even_number_are_between_values)
{
	double x[] = { 4, 1, 3, 2 };
	struct series s;
	statistics_series(&s, x, 4);
	ck_assert_double_eq_tol(s.median, 2.5, 1e-12);
	ck_assert_double_eq_tol(s.lower_quartile, 1.75, 1e-12);
	ck_assert_double_eq_tol(s.upper_quartile, 3.25, 1e-12);
}
END_TEST

START_TEST(one_value_has_no_interval_and_none_has_nothing)
{
	double x[] = { 7 };
	struct series s;
	statistics_series(&s, x, 1);
	ck_assert_double_eq(s.median, 7);
	ck_assert_double_eq(s.upper_quartile, 7);
	ck_assert(isnan(s.low) && isnan(s.high));
	statistics_series(&s, NULL, 0);
	ck_assert(s.n == 0 && isnan(s.median) && isnan(s.mean));
}
END_TEST

/* Of tables, and of the normal distribution at the end. */
START_TEST(intervals_are_students)
{
	ck_assert_double_eq_tol(statistics_student(1), 12.7062047, 1e-6);
	ck_assert_double_eq_tol(statistics_student(2), 4.3026527, 1e-6);
	ck_assert_double_eq_tol(statistics_student(9), 2.2621572, 1e-6);
	ck_assert_double_eq_tol(statistics_student(1e6), 1.959966, 1e-5);
	ck_assert_double_eq_tol(tails(statistics_student(5), 5), 0.05, 1e-6);
}
END_TEST

START_TEST(lines_have_the_least_squares)
{
	static const double x[] = { 1, 2, 4, 8 }, exact[] = { 5, 7, 11, 19 },
			    noisy[] = { 5, 8, 10, 19 }, level[] = { 3, 3, 3, 3 };
	struct line l = statistics_line(x, exact, 4);
	ck_assert_double_eq_tol(l.intercept, 3, 1e-12);
	ck_assert_double_eq_tol(l.slope, 2, 1e-12);
	ck_assert_double_eq_tol(l.r2, 1, 1e-12);
	/* means 3.75 and 10.5; sums of squares 28.75 and 109, products 55.5 */
	l = statistics_line(x, noisy, 4);
	ck_assert_double_eq_tol(l.slope, 55.5 / 28.75, 1e-12);
	ck_assert_double_eq_tol(l.intercept, 10.5 - 3.75 * 55.5 / 28.75, 1e-12);
	ck_assert_double_eq_tol(l.r2, 55.5 * 55.5 / 28.75 / 109, 1e-12);
	l = statistics_line(x, level, 4);
	ck_assert(l.slope == 0 && l.r2 == 1);
	ck_assert(isnan(statistics_line(x, exact, 1).slope));
	ck_assert(isnan(statistics_line(level, exact, 4).slope));
}
END_TEST

UNIT_MAIN("statistics", unequal_variances_are_welchs, few_values_have_heavy_tails,
	  one_run_borrows_the_others_noise, no_noise_at_all, many_tests_are_adjusted,
	  tests_have_weights, variation_is_the_sum_of_squares,
	  a_series_has_quartiles_and_an_interval, quartiles_of_an_even_number_are_between_values,
	  one_value_has_no_interval_and_none_has_nothing, intervals_are_students,
	  lines_have_the_least_squares)
