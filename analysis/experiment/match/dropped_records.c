/* SPDX-License-Identifier: BSD-3-Clause */
/* dropped_records.c - estimates waits of threads whose record log was full. Called by one thread;
 * owns nothing.
 *
 * A full log has only a thread's first records. The call graph has the whole time of each node. It
 * is assumed that waits are the same fraction of a node's whole time as of the part of this time
 * that has records. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sort.h"
#include "experiment/match/match_internal.h"

static int by_call(const void *va, const void *vb)
{
	const struct matched_call *a = va, *b = vb;
	return a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
		a->node != b->node	? (a->node > b->node) - (a->node < b->node) :
					  (a->enter > b->enter) - (a->enter < b->enter);
}

struct share { int64_t matched_ns, all_ns; }; /* of a node's time */

static int64_t grown(int64_t ns, const struct share *share)
{
	return (int64_t)((__int128)ns * share->all_ns / share->matched_ns);
}

static bool is_partly_known(const struct share *share)
{
	return share->matched_ns > 0 && share->all_ns > share->matched_ns + share->matched_ns / 100;
}

/* Scales up the waits of a process. Returns the time that was added. Adds the time of all waits of
 * the process to *all. */
static int64_t grow_waits(struct process_match *p, const struct share *share, int64_t *all)
{
	int64_t added = 0;
	for (uint32_t n = 0; n < p->waits.n; n++) {
		struct waits *w = &p->waits.fill.at[n];
		for (int i = 0; i < WAIT_LEAVES && w->leaf[i] != O_NONE; i++) {
			int64_t ns = w->ns[i];
			if (is_partly_known(&share[n]))
				w->ns[i] = grown(ns, &share[n]);
			added += w->ns[i] - ns;
			*all += w->ns[i];
		}
	}
	return added;
}

void match_estimate(const struct experiment *x, struct experiment_match *m, warning_list *warnings)
{
	struct share **share = mem_alloc(x->model.process.n, sizeof *share);
	int64_t added = 0, all = 0;
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		share[i] = mem_alloc(p->profile.node.n, sizeof **share);
		for (uint32_t n = 0; n < p->profile.node.n; n++)
			share[i][n].all_ns = p->excl_ns[n];
	}
	vec_sort(&m->matched_call.fill, by_call);
	for (size_t i = 0; i < m->matched_call.n; i++) {
		const struct matched_call *j = &m->matched_call.at[i];
		/* a call that completed several requests is in the list several times */
		if (j->node != NONE && (i == 0 || by_call(j, j - 1) != 0))
			share[j->process][j->node].matched_ns += j->exit - j->enter;
	}
	for (size_t i = 0; i < x->model.process.n; i++)
		added += grow_waits(&m->process.fill.at[i], share[i], &all);
	for (size_t i = 0; i < m->wait_state.n; i++) {
		struct wait_state *w = &m->wait_state.fill.at[i];
		const struct share *s = w->node == NONE ? NULL : &share[w->process][w->node];
		w->estimated = s && is_partly_known(s);
		for (int k = 0; w->estimated && k < WAIT_STATE_PARTS; k++)
			w->ns[k] = grown(w->ns[k], s);
	}
	if (added > 0)
		warnings_add(warnings,
			     "records of messages were dropped, so %.3f s of %.3f s of waits are "
			     "estimated, from those that "
			     "were kept",
			     (double)added / 1e9, (double)all / 1e9);
	for (size_t i = 0; i < x->model.process.n; i++)
		free(share[i]);
	free(share);
}
