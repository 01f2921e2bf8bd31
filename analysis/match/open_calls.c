/* SPDX-License-Identifier: BSD-3-Clause */
/* open_calls.c - waits in calls of MPI that were open when the process was killed. One thread; owns
 * nothing.
 *
 * A call is recorded when it ends, so there is no record of these. What they waited for did not
 * come, so all of their time is waiting, if the call can wait at all. The same holds for a loop
 * over polls in vain.
 *
 * A collective operation waited for a process that was not in the same routine. If there are
 * several, it is taken to be the one with the last sign of life. */
#include "match/match_internal.h"

#include "model/poll_times.h"
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

static void book(const struct experiment *x, struct experiment_match *m, const struct process *p,
		 uint32_t node, int64_t ns)
{
	enum sis_overhead leaf = region_of_node(x, p->global[node])->routine->wait;
	if (leaf != O_NONE && ns > 0)
		match_add_wait(m, p, node, leaf, ns);
}

/* Whether one of its threads is in a call of the routine. */
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

static void book_calls(const struct experiment *x, struct experiment_match *m,
		       const struct process *p)
{
	for (size_t k = 0; k < p->profile.thread.n; k++) {
		uint32_t node = open_call(x, p, &p->profile.thread.at[k]);
		if (node == NONE)
			continue;
		book(x, m, p, node,
		     p->end_ns - clock_ns(&p->clock, p->profile.node.at[node].start));
		add_culprit(x, m, p, node);
	}
}

static void book_polls(const struct experiment *x, struct experiment_match *m,
		       const struct process *p)
{
	for (size_t i = 0; i < p->profile.polls.n; i++) {
		const struct profile_polls *polls = &p->profile.polls.at[i];
		uint32_t global = p->global[polls->node];
		if (global != NONE && region_of_node(x, global)->routine &&
		    polls_are_open(p, polls))
			book(x, m, p, polls->node, clock_span_ns(&p->clock, polls->ticks));
	}
}

void match_open_calls(const struct experiment *x, struct experiment_match *m)
{
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		if (p->profile.head.state == SIS_STATE_ENDED)
			continue;
		book_calls(x, m, p);
		book_polls(x, m, p);
	}
}
