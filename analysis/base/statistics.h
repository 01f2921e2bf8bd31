/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.h - what a series of values is like, whether two differ by more than their noise, and
 * lines through points. */
#ifndef SIS_ANALYSIS_STATISTICS_H
#define SIS_ANALYSIS_STATISTICS_H

#include <stddef.h>

double statistics_mean(const double *x, size_t n);
/* The probability that two series with equal means differ this much (Welch's test, two-sided). With
 * one run on one side, its variance is taken to be that of the other side. NaN with one run on each
 * side, which says nothing about noise. */
double statistics_same(const double *a, size_t n_a, const double *b, size_t n_b);
/* The sum of the squared deviations from the mean. */
double statistics_variation(const double *x, size_t n);
/* Corrects the probabilities of many tests for their number (Holm, with weights): the probability
 * that any test is wrong is divided among the tests in proportion to their weights. Tests without
 * weight and NaN stay. The weights must not depend on which of the values belong to which series,
 * else the result is no probability. */
void statistics_adjust(double *p, const double *weight, size_t n);

struct series {
	size_t n;
	double median, lower_quartile, upper_quartile, mean;
	/* the interval that has the mean in 95 % of all cases (Student); NaN with less than 2
	 * values */
	double low, high;
};
/* Sorts the values, which must be numbers. Without values all is NaN. */
void statistics_series(struct series *series, double *x, size_t n);
/* Half the width of a 95 % interval, in standard errors of the mean. */
double statistics_student(double freedom);

struct line { double intercept, slope, r2; };
/* The line with the least squares. NaN where it is not defined: by less than two points, or points
 * of one x. r2 is 1 if all y are the same. */
struct line statistics_line(const double *x, const double *y, size_t n);

#endif
