/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.h - whether two series of runs differ by more than their noise. */
#ifndef SIS_ANALYSIS_STATISTICS_H
#define SIS_ANALYSIS_STATISTICS_H

#include <stddef.h>

double statistics_mean(const double *x, size_t n);
/* The probability that two series with equal means differ this much (Welch's test, two-sided). With
 * one run on one side, its variance is taken to be that of the other side. NaN with one run on each
 * side, which says nothing about noise. */
double statistics_same(const double *a, size_t n_a, const double *b, size_t n_b);
/* Corrects the probabilities of many tests for their number (Holm). NaN stays. */
void statistics_adjust(double *p, size_t n);

#endif
