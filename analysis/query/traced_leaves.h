/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_leaves.h - what leaves within an interval are found from: the single waits of a traced
 * run, and what its threads did when. */
#ifndef SIS_ANALYSIS_TRACED_LEAVES_H
#define SIS_ANALYSIS_TRACED_LEAVES_H

#include "causes/single_waits.h"

struct traced_leaves {
	struct timelines timelines;
	struct thread_waits threads;
	struct single_waits waits;
};

/* Matches and classifies the run again. Its warnings are in the repository since the import. */
void traced_leaves_init(struct traced_leaves *l, struct experiment *x);
void traced_leaves_release(struct traced_leaves *l);

#endif
