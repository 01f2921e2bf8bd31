/* SPDX-License-Identifier: BSD-3-Clause */
/* computation.h - how much an experiment computed: useful work, and the instructions and cycles in
 * it. */
#ifndef SIS_ANALYSIS_COMPUTATION_H
#define SIS_ANALYSIS_COMPUTATION_H

#include "repository/repository.h"

struct computation {
	/* over all units: useful work, misses and page faults included */
	double ns;
	double instructions, cycles; /* in it */
	char *missing;               /* why these two are not known; NULL: they are */
};

/* With counters or, which is quick, without: then only ns is known. */
int computation_load(struct computation *c, struct repo *repo, int64_t experiment, bool counters,
		     struct err *err);
void computation_release(struct computation *c);

#endif
