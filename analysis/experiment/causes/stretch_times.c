/* SPDX-License-Identifier: BSD-3-Clause */
/* stretch_times.c - collects the times of a thread in a stretch of the run. Owns its tables; called
 * by one thread. */
#include "experiment/causes/stretch_times.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "experiment/model/regions.h"

void stretch_times_init(struct stretch_times *t, const struct intervals *intervals,
		       const struct single_waits *waits, const struct lacks *lacks)
{
	*t = (struct stretch_times){ .intervals = intervals, .waits = waits,
				    .lacks = lacks,
				    .entries = (uint32_t)intervals->x->model.node.n + 2,
				    .held.process = NONE };
	t->ns = mem_alloc(t->entries, sizeof *t->ns);
	t->estimated = mem_alloc(t->entries, sizeof *t->estimated);
	t->listed = mem_alloc(t->entries, sizeof *t->listed);
}

void stretch_times_release(struct stretch_times *t)
{
	free(t->ns), free(t->estimated), free(t->listed);
	vec_free(&t->used);
}

static void add_ns(struct stretch_times *t, uint32_t entry, int64_t ns, bool exact)
{
	if (!t->listed[entry])
		*vec_push(&t->used) = entry;
	t->listed[entry] = true;
	t->ns[entry] += ns;
	t->estimated[entry] |= !exact;
}

struct side { struct stretch_times *t; const struct process *p; };

static void take_ns(void *arg, uint32_t node, int64_t ns, bool exact)
{
	const struct side *side = arg;
	struct stretch_times *t = side->t;
	add_ns(t, node == OUTSIDE_MPI ? entry_unlocated(t) : side->p->global[node], ns, exact);
}

/* The time of `node` is negative. Moves time from `other` to `node`, until the time of `node` is 0
 * or that of `other` is used up. */
static void take_from(struct stretch_times *t, uint32_t node, uint32_t other)
{
	int64_t lack = -t->ns[node], has = t->ns[other] > 0 ? t->ns[other] : 0;
	int64_t part = lack < has ? lack : has;
	t->ns[node] += part;
	t->ns[other] -= part;
	t->divided = true;
}

static bool is_below(const struct drg_node *at, uint32_t node, uint32_t top)
{
	while (node != NONE && node > top) /* parents come before children */
		node = at[node].parent;
	return node == top;
}

/* A wait of polls includes the time between the polls. In a trace, this time is in the regions
 * around the polls, and where the loop sleeps. In the profile, it has been moved to the polls
 * (core/slept.c of the runtime, poll_times.c). So a wait may be longer than the time that the trace
 * has in the node of the polls. The missing time is taken from sleep in the region that polls, and
 * then from the regions around the polls, the nearest one first. */
static void take_from_around(struct stretch_times *t, uint32_t node)
{
	const struct experiment *x = t->intervals->x;
	const struct drg_node *at = x->model.node.at;
	uint32_t around = at[node].parent;
	for (size_t i = 0; i < t->used.n && around != NONE && t->ns[node] < 0; i++) {
		uint32_t other = t->used.at[i];
		if (other < x->model.node.n && region_of_node(x, other)->type == RT_ASLEEP &&
		    is_below(at, other, around))
			take_from(t, node, other);
	}
	for (; around != NONE && t->ns[node] < 0; around = at[around].parent)
		take_from(t, node, around);
}

static void take_waits(struct stretch_times *t, const struct thread_stretch *s, size_t first,
		       size_t end)
{
	const uint32_t *global = t->intervals->x->model.process.at[s->process].global;
	for (size_t i = first; i < end; i++) {
		const struct wait_state *w = &t->waits->wait.at[i];
		if (w->node == NONE || global[w->node] == NONE)
			continue;
		/* a wait among threads may be booked in several nodes; ns[0] is the part in this
		 * node */
		int64_t ns = w->until - (w->enter > s->from ? w->enter : s->from);
		if (w->among_threads)
			ns = muldiv(w->ns[0], ns, w->until - w->enter);
		add_ns(t, global[w->node], -ns, true);
		if (w->until > s->waits_from)
			add_ns(t, entry_waiting(t), wait_within(w, s->waits_from), true);
	}
	for (size_t i = 0; i < t->used.n; i++)
		if (t->used.at[i] < t->intervals->x->model.node.n)
			take_from_around(t, t->used.at[i]);
}

int64_t stretch_times_lack(const struct stretch_times *t, uint32_t node)
{
	const struct experiment *x = t->intervals->x;
	if (t->lack_ns <= 0 || t->ns[node] <= 0)
		return 0;
	int64_t lack = muldiv(t->ns[node], t->lack_ns, t->all_ns);
	uint32_t s = experiment_summary(x, node, unit_of(x, t->held.process, t->held.slot));
	int64_t most = s == INDEX_NONE ? 0 : t->lacks->booked[s];
	return lack < most ? lack : most;
}

void stretch_times_collect(struct stretch_times *t, const struct thread_stretch *s)
{
	const struct process *p = &t->intervals->x->model.process.at[s->process];
	struct side side = { t, p };
	size_t first, end = single_waits_find(t->waits, s->process, s->slot, s->from, s->to,
					      &first);
	if (t->held.process == s->process && t->held.slot == s->slot && t->held.from == s->from &&
	    t->held.to == s->to && t->held.waits_from == s->waits_from)
		return; /* `t` already holds the times of this stretch */
	t->held = *s;
	for (size_t i = 0; i < t->used.n; i++) {
		t->ns[t->used.at[i]] = 0;
		t->estimated[t->used.at[i]] = t->listed[t->used.at[i]] = false;
	}
	t->used.n = 0;
	t->lack_ns = 0;
	t->divided = false;
	if (s->from >= s->to)
		return;
	interval_for_each(t->intervals, s->process, s->slot, s->from, s->to, take_ns, &side);
	take_waits(t, s, first, end);
	uint32_t unit = unit_of(t->intervals->x, s->process, s->slot);
	int64_t all = 0, lack = lacks_within(t->lacks, unit, s->from, s->to);
	for (size_t i = 0; i < t->used.n && lack > 0; i++)
		all += t->ns[t->used.at[i]] > 0 ? t->ns[t->used.at[i]] : 0;
	t->lack_ns = lack < all ? lack : all;
	t->all_ns = all;
}
