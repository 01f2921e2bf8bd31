/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_waits.h - the single waits of threads for others of their process, out of a trace. */
#ifndef SIS_ANALYSIS_THREAD_WAITS_H
#define SIS_ANALYSIS_THREAD_WAITS_H

#include "causes/meetings.h"
#include "timeline/timeline.h"

struct thread_waits {
	const struct timelines *timelines;
	VEC(struct wait_state) wait;
	sync_points point;      /* forks and barriers of teams; lanes are processing units */
	uint32_t operations;
	int64_t unknown_ns;     /* of waits without a known culprit */
};

/* Finds the waits in all processes whose traces are whole. */
void thread_waits_find(struct thread_waits *w, const struct timelines *t);
void thread_waits_release(struct thread_waits *w);

#endif
