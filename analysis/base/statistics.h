/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.h - describes a series of values, tests whether two series differ by more than their
 * noise, and fits lines to points. */
#ifndef SIS_ANALYSIS_STATISTICS_H
#define SIS_ANALYSIS_STATISTICS_H

#include <stddef.h>

double statistics_mean(const double *x, size_t n);
/* The probability that two series with equal means differ this much (Welch's test, two-sided). A
 * series of one run is treated as having the variance of the other one. NaN if both have one run,
 * because noise is then not known. */
double statistics_same(const double *a, size_t n_a, const double *b, size_t n_b);
/* The sum of the squared deviations of the values from their mean. */
double statistics_variation(const double *x, size_t n);
/* Corrects the probabilities of `n` tests for the number of tests (Holm's method, with weights).
 * The allowed probability of any wrong test is divided among the tests in proportion to their
 * weights. NaN and the probabilities of tests without weight are not changed. A weight must not
 * depend on the assignment of values to series, otherwise the result is no probability. */
void statistics_adjust(double *p, const double *weight, size_t n);

struct series {
	size_t n;
	double median, lower_quartile, upper_quartile, mean;
	/* the 95 % confidence interval of the mean (Student); NaN with less than 2 values */
	double low, high;
};
/* Sorts the values, which must be numbers. Without values, all results are NaN. */
void statistics_series(struct series *series, double *x, size_t n);
/* Half the width of the 95 % confidence interval, in standard errors, with so many degrees of
 * freedom. */
double statistics_student(double freedom);

struct line { double intercept, slope, r2; };
/* Fits a line to the points by least squares. The line is NaN with less than two points, or if all
 * x are the same. r2 is 1 if all y are the same. */
struct line statistics_line(const double *x, const double *y, size_t n);

#endif
