/* SPDX-License-Identifier: BSD-3-Clause */
/* computation.h - how much an experiment computed: useful work, and the instructions and cycles in
 * it. */
#ifndef SIS_ANALYSIS_COMPUTATION_H
#define SIS_ANALYSIS_COMPUTATION_H

#include "repository/repository.h"

struct computation {
	/* sums over all PUs: useful work, including misses and page faults */
	double ns;
	double instructions, cycles; /* ... and its instructions and cycles */
	char *missing;               /* why these two are not known; NULL: they are known */
};

/* Without `counters`, which is faster, only ns is known. */
int computation_load(struct computation *c, struct repo *repo, int64_t experiment, bool counters,
		     struct err *err);
/* The mean of n > 0 experiments. `missing` is that of the first that lacks counts. */
int computation_load_mean(struct computation *c, struct repo *repo, const int64_t *experiment,
			  size_t n, bool counters, struct err *err);
void computation_release(struct computation *c);

#endif
