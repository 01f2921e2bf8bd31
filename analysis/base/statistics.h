/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.h - whether two series of runs differ by more than their noise. */
#ifndef SIS_ANALYSIS_STATISTICS_H
#define SIS_ANALYSIS_STATISTICS_H

#include <stddef.h>

double statistics_mean(const double *x, size_t n);
/* The probability that two series as far apart as these come from equal means (Welch's test,
 * two-sided; with one run on a side, its variance is taken to be the other's). NaN: one run each
 * says nothing about noise. */
double statistics_same(const double *a, size_t n_a, const double *b, size_t n_b);
/* Makes the probabilities of many tests those of finding none by chance (Holm). NaN stays. */
void statistics_adjust(double *p, size_t n);

#endif
