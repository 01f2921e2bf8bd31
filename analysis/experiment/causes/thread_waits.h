/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_waits.h - the single waits of threads for other threads of their process, from a trace. */
#ifndef SIS_ANALYSIS_THREAD_WAITS_H
#define SIS_ANALYSIS_THREAD_WAITS_H

#include "experiment/causes/meetings.h"
#include "experiment/timeline/timeline.h"

struct thread_waits {
	const struct timelines *timelines;
	VEC(struct wait_state) wait;
	sync_points point;      /* meetings of threads; lanes are processing units */
	uint32_t operations;    /* number of operations of these sync points */
	int64_t unknown_ns;     /* time of waits without a known culprit */
};

/* Finds the waits in all processes whose traces are complete (timelines_whole). */
void thread_waits_find(struct thread_waits *w, const struct timelines *t);
void thread_waits_release(struct thread_waits *w);

#endif
