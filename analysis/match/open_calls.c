/* SPDX-License-Identifier: BSD-3-Clause */
/* open_calls.c - waits in calls of MPI that were open when the process was killed. One thread; owns
 * nothing.
 *
 * A call is recorded when it ends, so there is no record of these. What they waited for did not
 * come, so all of their time is waiting, if the call can wait at all. */
#include "match/match_internal.h"

#include "model/regions.h"

/* Node of a call of MPI in which the thread was last; NONE: it was elsewhere. */
static uint32_t open_call(const struct experiment *x, const struct process *p,
			  const struct profile_thread *thread)
{
	uint32_t node = thread->current;
	if (node == NONE || !p->profile.node.at[node].open || p->global[node] == NONE)
		return NONE;
	const struct region *region = region_of_node(x, p->global[node]);
	return region->routine && sis_region_in(region->type, CR_MPI) ? node : NONE;
}

void match_open_calls(const struct experiment *x, struct experiment_match *m)
{
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		for (size_t k = 0; k < p->profile.thread.n; k++) {
			uint32_t node = open_call(x, p, &p->profile.thread.at[k]);
			if (node == NONE || p->profile.head.state == SIS_STATE_ENDED)
				continue;
			enum sis_overhead leaf = region_of_node(x, p->global[node])->routine->wait;
			int64_t start = clock_ns(&p->clock, p->profile.node.at[node].start);
			if (leaf != O_NONE && p->end_ns > start)
				match_add_wait(m, p, node, leaf, p->end_ns - start);
		}
	}
}
