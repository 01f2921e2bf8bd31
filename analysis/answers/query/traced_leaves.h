/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_leaves.h - the input from which leaves in an interval are computed: the single waits of a
 * traced run, and what each thread did at which time. */
#ifndef SIS_ANALYSIS_TRACED_LEAVES_H
#define SIS_ANALYSIS_TRACED_LEAVES_H

#include "experiment/causes/single_waits.h"

struct traced_leaves {
	struct timelines timelines;
	struct thread_waits threads;
	struct single_waits waits;
};

/* Matches and classifies the run again. Warnings are not needed: the import has stored them. */
void traced_leaves_init(struct traced_leaves *l, struct experiment *x);
void traced_leaves_release(struct traced_leaves *l);

#endif
