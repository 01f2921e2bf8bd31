/* SPDX-License-Identifier: BSD-3-Clause */
/* computation.h - loads how much an experiment computed: its useful work, and the instructions and
 * cycles of this work. */
#ifndef SIS_ANALYSIS_COMPUTATION_H
#define SIS_ANALYSIS_COMPUTATION_H

#include "repository/database/repository.h"

struct computation {
	/* sums over all PUs: useful work, including misses and page faults */
	double ns;
	double instructions, cycles; /* of the useful work */
	char *missing;               /* why instructions and cycles are not known; NULL: they are */
};

/* Loads how much an experiment computed. If `counters` is false, loading is faster, and only `ns`
 * is known. */
int computation_load(struct computation *c, struct repo *repo, int64_t experiment, bool counters,
		     struct err *err);
/* Loads the mean of n > 0 experiments. `missing` is that of the first experiment without counts. */
int computation_load_mean(struct computation *c, struct repo *repo, const int64_t *experiment,
			  size_t n, bool counters, struct err *err);
void computation_release(struct computation *c);

#endif
