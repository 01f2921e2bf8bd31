/* SPDX-License-Identifier: BSD-3-Clause */
/* regression.h - compares two series of runs region by region, and finds what became slower by more
 * than noise. */
#ifndef SIS_ANALYSIS_REGRESSION_H
#define SIS_ANALYSIS_REGRESSION_H

#include "answers/query/region_times.h"
#include "answers/query/runs.h"
#include "answers/query/significance.h"

/* TIME_MEAN: T_p, and sums over the PUs divided by p. TIME_SUM: p * T_p, and sums over the PUs */
enum time_of { TIME_MEAN, TIME_SUM };

struct difference {
	char *region, *key, *type, *file; /* for the whole program: "program" and "" */
	int64_t line;
	/* mean seconds of each series: T_p of the program, exclusive time of a region. The probes'
	 * cost is in T_p and in the time of region `probe`, and in no other time. NaN: no run of
	 * the series has the region */
	double a, b;
	double by;      /* b - a; a or b counts as 0 if it is NaN */
	/* the times that are tested: T_p of the program less the cost of probes on the critical
	 * path; for a region, a and b. 0: the region is missing */
	double a_without, b_without;
	/* probability that noise alone makes such a difference. NaN: not tested */
	double p_value;
	enum verdict verdict;
	bool fails;
};
typedef VEC(struct difference) differences;

/* Finds the differences: that of the program, then those of regions, the largest slowdown first. */
int regression_find(differences *found, struct repo *repo, const run_list *a, const run_list *b,
		    enum time_of time, const struct limits *limits, struct err *err);
void regression_release(differences *found);

#endif
