/* SPDX-License-Identifier: BSD-3-Clause */
/* significance.h - tests which of many differences between two series of runs are more than noise,
 * and which of these are so large that the comparison fails. */
#ifndef SIS_ANALYSIS_SIGNIFICANCE_H
#define SIS_ANALYSIS_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

struct limits {
	double change; /* a larger slowdown fails; 0.05 is 5 %; negative: nothing fails */
	double share;  /* differences below this fraction of T_p do not matter */
	double chance; /* a difference counts if its p value is below this */
};

enum verdict { SAME, FASTER, SLOWER, NEW, GONE };

struct tested {
	const double *x; /* seconds in each run; the runs of the first series come first */
	bool in_a, in_b; /* the region is in at least one run of the series */
	bool never_fails;
	double p_value;  /* out: NaN: not tested */
	enum verdict verdict; /* out */
	bool fails;           /* out */
};

/* Tests n > 0 samples of n_a + n_b runs: the first sample is that of the program, all others are
 * those of regions. */
void significance_test(struct tested *tested, size_t n, size_t n_a, size_t n_b,
		       const struct limits *limits);

#endif
