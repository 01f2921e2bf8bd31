/* SPDX-License-Identifier: BSD-3-Clause */
/* significance.h - which of many differences between two series of runs are more than noise, and
 * which of them fail a gate. */
#ifndef SIS_ANALYSIS_SIGNIFICANCE_H
#define SIS_ANALYSIS_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

struct limits {
	double change; /* a fraction: 0.05 is 5 %; negative: nothing fails */
	double share;  /* differences below this fraction of T_p do not matter */
	double chance; /* a difference is no noise if its probability is below this */
};

enum verdict { SAME, FASTER, SLOWER, NEW, GONE };

struct tested {
	const double *x; /* seconds in the runs, those of the first series first */
	bool in_a, in_b; /* the region is in some run of the series */
	bool never_fails;
	double p_value;  /* out: NaN: not tested */
	enum verdict verdict; /* out */
	bool fails;           /* out */
};

/* Tests n > 0 samples of n_a + n_b runs: the first one is the program, the others are its
 * regions. */
void significance_test(struct tested *tested, size_t n, size_t n_a, size_t n_b,
		       const struct limits *limits);

#endif
