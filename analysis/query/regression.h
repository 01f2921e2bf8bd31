/* SPDX-License-Identifier: BSD-3-Clause */
/* regression.h - two series of runs, region by region: what became slower by more than noise. */
#ifndef SIS_ANALYSIS_REGRESSION_H
#define SIS_ANALYSIS_REGRESSION_H

#include "query/region_times.h"
#include "query/runs.h"

struct limits {
	double change; /* a fraction: 0.05 is 5 %; negative: nothing fails */
	double share;  /* differences below this fraction of T_p do not count */
	double chance; /* a difference is no noise if its probability is below this */
};

enum verdict { SAME, FASTER, SLOWER, NEW, GONE };

struct difference {
	char *region, *key, *type, *file; /* of the whole program: "program" and empty strings */
	int64_t line;
	double a, b;    /* mean seconds: T_p, or exclusive time divided by p */
	double p_value; /* NaN: one run each */
	enum verdict verdict;
	bool fails;
};
typedef VEC(struct difference) differences;

/* The program first, then regions, the largest slowdown first. */
int regression_find(differences *found, struct repo *repo, const run_list *a, const run_list *b,
		    const struct limits *limits, struct err *err);
void regression_release(differences *found);

#endif
