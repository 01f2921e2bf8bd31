/* SPDX-License-Identifier: BSD-3-Clause */
/* single_waits.h - lists all single waits of a run, sorted by processing unit and time. These are
 * waits between processes, which the match stage found, and waits among traced threads. */
#ifndef SIS_ANALYSIS_SINGLE_WAITS_H
#define SIS_ANALYSIS_SINGLE_WAITS_H

#include "experiment/causes/thread_waits.h"

struct single_waits {
	const struct experiment *x;
	VEC(struct wait_state) wait;
	size_t *first;           /* by PU: index of its first wait; then the number of waits */
};

void single_waits_init(struct single_waits *w, const struct experiment *x,
		       const struct thread_waits *threads);
void single_waits_release(struct single_waits *w);
/* Finds the thread's waits that ended after `from`, but not after `to`. *first becomes the index of
 * the first of these waits. Returns the index after the last one. */
size_t single_waits_find(const struct single_waits *w, uint32_t process, uint32_t slot,
			 int64_t from, int64_t to, size_t *first);

/* The part of the wait after `from`; 0 if the wait shares the time of the wait state before it. */
static inline int64_t wait_within(const struct wait_state *w, int64_t from)
{
	return w->shares ? 0 : w->until - (w->enter > from ? w->enter : from);
}

static inline uint32_t unit_of(const struct experiment *x, uint32_t process, uint32_t slot)
{
	const struct process *p = &x->model.process.at[process];
	return p->first_pu + (slot < p->slots ? slot : 0);
}

#endif
