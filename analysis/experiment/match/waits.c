/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c - adds up the waits at each node, and sorts the lists of single waits by time, for later
 * stages. Called by one thread; owns nothing. */
#include "base/sort.h"
#include "experiment/match/match_internal.h"

void match_add_wait(struct experiment_match *m, const struct process *process, uint32_t node,
		    enum sis_overhead leaf, int64_t ns)
{
	struct process_match *found = &m->process.fill.at[process->index];
	if (ns <= 0 || node == NONE)
		return;
	if (!found->waits.n)
		vec_alloc(&found->waits.fill, process->profile.node.n);
	struct waits *w = &found->waits.fill.at[node];
	int i = 0;
	while (i < WAIT_LEAVES - 1 && w->leaf[i] != O_NONE && w->leaf[i] != leaf)
		i++;
	if (w->leaf[i] == O_NONE)
		w->leaf[i] = leaf;
	w->ns[i] += ns;
}

static int blocked_by_time(const void *va, const void *vb)
{
	const struct blocked_interval *a = va, *b = vb;
	return ORDER(a->process, b->process) ?: ORDER(a->until, b->until);
}

static int sync_points_by_time(const void *va, const void *vb)
{
	const struct sync_point *a = va, *b = vb;
	return ORDER(a->process, b->process) ?: ORDER(a->moment, b->moment);
}

static int waits_by_time(const void *va, const void *vb)
{
	const struct wait_state *a = va, *b = vb;
	return ORDER(a->process, b->process) ?: ORDER(a->until, b->until);
}

void match_order(const struct experiment *x, struct experiment_match *m)
{
	/* a process that has ended waits for the process that ends last */
	size_t last = 0;
	for (size_t i = 0; i < x->model.process.n; i++)
		last = x->model.process.at[i].end_ns > x->model.process.at[last].end_ns ? i : last;
	for (size_t i = 0; i < x->model.process.n; i++) {
		int64_t ns = x->model.end_ns - x->model.process.at[i].end_ns;
		if (ns > 0)
			*vec_push(&m->wait_state.fill) = (struct wait_state){
				.process = i,
				.node = NONE,
				.culprit = last,
				.enter = x->model.process.at[i].end_ns,
				.until = x->model.end_ns,
				.leaf = { OSYNC_FINWAIT },
				.ns = { ns },
			};
	}
	vec_sort(&m->blocked.fill, blocked_by_time);
	vec_sort(&m->sync_point.fill, sync_points_by_time);
	vec_sort(&m->wait_state.fill, waits_by_time);
}
