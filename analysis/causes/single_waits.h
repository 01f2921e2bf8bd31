/* SPDX-License-Identifier: BSD-3-Clause */
/* single_waits.h - all single waits of a run, by processing unit and time: those that the match
 * stage found, those of traced threads, and of processes that ended before the others. */
#ifndef SIS_ANALYSIS_SINGLE_WAITS_H
#define SIS_ANALYSIS_SINGLE_WAITS_H

#include "causes/thread_waits.h"

struct single_waits {
	const struct experiment *x;
	VEC(struct wait_state) wait;
	size_t *first;           /* of each processing unit, and the end */
};

void single_waits_init(struct single_waits *w, const struct experiment *x,
		       const struct thread_waits *threads);
void single_waits_release(struct single_waits *w);
/* The thread's waits that ended after `from`, and no later than `to`: [*first, the result). */
size_t single_waits_find(const struct single_waits *w, uint32_t process, uint32_t slot,
			 int64_t from, int64_t to, size_t *first);

/* The wait's part after `from`. */
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
