/* SPDX-License-Identifier: BSD-3-Clause */
/* regression.h - two series of runs, region by region: what became slower by more than noise. */
#ifndef SIS_ANALYSIS_REGRESSION_H
#define SIS_ANALYSIS_REGRESSION_H

#include "query/region_times.h"
#include "query/runs.h"
#include "query/significance.h"

/* what a time of several PUs is */
enum time_of { TIME_MEAN, TIME_SUM }; /* T_p, or p * T_p; sums over the PUs, divided by p or not */

struct difference {
	char *region, *key, *type, *file; /* of the whole program: "program" and empty strings */
	int64_t line;
	/* mean seconds of each series: T_p, or exclusive time. The probes' own cost is in T_p, and
	 * else only in the time of region `probe`. NaN: no run of the series has the region */
	double a, b;
	double by;      /* b - a; a missing one counts as 0 */
	/* the times that are judged, without probes: the program's T_p less the cost of probes on
	 * the critical path. Other times are without this cost anyway. 0: the region is missing */
	double a_without, b_without;
	/* of noise; without the probes' cost. NaN: not tested */
	double p_value;
	enum verdict verdict;
	bool fails;
};
typedef VEC(struct difference) differences;

/* The program first, then regions, the largest slowdown first. */
int regression_find(differences *found, struct repo *repo, const run_list *a, const run_list *b,
		    enum time_of time, const struct limits *limits, struct err *err);
void regression_release(differences *found);

#endif
