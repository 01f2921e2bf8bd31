/* SPDX-License-Identifier: BSD-3-Clause */
/* open_calls.c - finds the waits in calls of MPI that were open when the process was killed. Called
 * by one thread; owns nothing.
 *
 * A call is recorded when it ends, so open calls have no record. If the routine can wait, all of
 * the call's time counts as a wait, because the call did not complete. A loop over polls in vain is
 * treated in the same way.
 *
 * The culprit of a wait in a collective operation is a process that was not in the same routine. If
 * there are several such processes, the one with the latest sign of life is assumed to be the
 * culprit. */
#include "experiment/match/match_internal.h"

#include "experiment/model/poll_times.h"
#include "experiment/model/regions.h"

/* The node of the open call of MPI in which the thread was last; NONE if the thread was not in
 * MPI. */
static uint32_t open_call(const struct experiment *x, const struct process *p,
			  const struct profile_thread *thread)
{
	uint32_t node = thread->current;
	if (node == NONE || !p->profile.node.at[node].open || p->global[node] == NONE)
		return NONE;
	const struct region *region = region_of_node(x, p->global[node]);
	return region->routine && sis_region_in(region->type, CR_MPI) ? node : NONE;
}

static void book(const struct experiment *x, struct experiment_match *m, const struct process *p,
		 uint32_t node, int64_t ns)
{
	enum sis_overhead leaf = region_of_node(x, p->global[node])->routine->wait;
	if (leaf != O_NONE && ns > 0)
		match_add_wait(m, p, node, leaf, ns);
}

/* Whether a thread of the process is in a call of the routine. */
static bool is_in(const struct experiment *x, const struct process *p,
		  const struct sis_routine_info *routine)
{
	for (size_t k = 0; k < p->profile.thread.n; k++) {
		uint32_t node = open_call(x, p, &p->profile.thread.at[k]);
		if (node != NONE && region_of_node(x, p->global[node])->routine == routine)
			return true;
	}
	return false;
}

static void add_culprit(const struct experiment *x, struct experiment_match *m,
			const struct process *p, uint32_t node)
{
	const struct sis_routine_info *routine = region_of_node(x, p->global[node])->routine;
	const struct process *culprit = NULL;
	int64_t enter = clock_ns(&p->clock, p->profile.node.at[node].start);
	size_t candidates = 0;
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *other = &x->model.process.at[i];
		if (other == p || other->end_ns <= enter || is_in(x, other, routine))
			continue;
		culprit = !culprit || other->end_ns > culprit->end_ns ? other : culprit;
		candidates++;
	}
	if (!culprit || routine->wait == O_NONE || p->end_ns <= enter ||
	    !sis_region_in(region_of_node(x, p->global[node])->type, CR_MPICOL))
		return;
	*vec_push(&m->wait_state.fill) = (struct wait_state){
		.process = p->index,
		.slot = p->profile.node.at[node].slot,
		.node = node,
		.culprit = culprit->index,
		.enter = enter,
		.until = p->end_ns,
		.leaf = { routine->wait },
		.ns = { p->end_ns - enter },
		.estimated = candidates > 1 };
}

void match_open_calls(const struct experiment *x, struct experiment_match *m)
{
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		if (p->profile.head.state == SIS_STATE_ENDED)
			continue;
		for (size_t k = 0; k < p->profile.thread.n; k++) {
			uint32_t node = open_call(x, p, &p->profile.thread.at[k]);
			if (node == NONE)
				continue;
			book(x, m, p, node,
			     p->end_ns - clock_ns(&p->clock, p->profile.node.at[node].start));
			add_culprit(x, m, p, node);
		}
		for (size_t k = 0; k < p->profile.polls.n; k++) {
			const struct profile_polls *polls = &p->profile.polls.at[k];
			uint32_t global = p->global[polls->node];
			if (global != NONE && region_of_node(x, global)->routine &&
			    polls_are_open(p, polls))
				book(x, m, p, polls->node, clock_span_ns(&p->clock, polls->ticks));
		}
	}
}
