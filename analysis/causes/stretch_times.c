/* SPDX-License-Identifier: BSD-3-Clause */
/* stretch_times.c - see stretch_times.h. Owns its tables; one thread. */
#include "causes/stretch_times.h"

#include <stdlib.h>

#include "base/muldiv.h"

void stretch_times_init(struct stretch_times *t, const struct intervals *intervals,
		       const struct single_waits *waits, const struct lacks *lacks)
{
	*t = (struct stretch_times){ .intervals = intervals, .waits = waits,
				    .lacks = lacks,
				    .places = (uint32_t)intervals->x->model.node.n + 2,
				    .held.process = NONE };
	t->ns = mem_alloc(t->places, sizeof *t->ns);
	t->estimated = mem_alloc(t->places, sizeof *t->estimated);
	t->listed = mem_alloc(t->places, sizeof *t->listed);
}

void stretch_times_release(struct stretch_times *t)
{
	free(t->ns), free(t->estimated), free(t->listed);
	vec_free(&t->used);
}

static void clear(struct stretch_times *t)
{
	for (size_t i = 0; i < t->used.n; i++) {
		t->ns[t->used.at[i]] = 0;
		t->estimated[t->used.at[i]] = t->listed[t->used.at[i]] = false;
	}
	t->used.n = 0;
	t->lack_ns = 0;
}

static void add(struct stretch_times *t, uint32_t place, int64_t ns, bool exact)
{
	if (!t->listed[place])
		*vec_push(&t->used) = place;
	t->listed[place] = true;
	t->ns[place] += ns;
	t->estimated[place] |= !exact;
}

struct side { struct stretch_times *t; const struct process *p; };

static void take(void *arg, uint32_t node, int64_t ns, bool exact)
{
	const struct side *side = arg;
	struct stretch_times *t = side->t;
	add(t, node == OUTSIDE_MPI ? place_unlocated(t) : side->p->global[node], ns, exact);
}

static bool is_held(const struct stretch_times *t, const struct thread_stretch *s)
{
	const struct thread_stretch *held = &t->held;
	return held->process == s->process && held->slot == s->slot && held->from == s->from &&
		held->to == s->to && held->waits_from == s->waits_from;
}

/* What a wait takes of its node after `from`. A wait among threads may be booked in several. */
static int64_t taken_from_node(const struct wait_state *w, int64_t from)
{
	int64_t ns = w->until - (w->enter > from ? w->enter : from);
	return w->among_threads ? muldiv(w->ns[0], ns, w->until - w->enter) : ns;
}

/* A wait of polls includes the time between the polls. A trace has this time in the regions around
 * the polls; in the profile, poll_times.c has moved it to the polls. So time that the node of the
 * polls lacks is taken from the nearest regions around it that have some. */
static void take_from_around(struct stretch_times *t, uint32_t node)
{
	const struct drg_node *at = t->intervals->x->model.node.at;
	for (uint32_t around = at[node].parent; around != NONE && t->ns[node] < 0;
	     around = at[around].parent) {
		int64_t lack = -t->ns[node], has = t->ns[around] > 0 ? t->ns[around] : 0;
		int64_t part = lack < has ? lack : has;
		t->ns[node] += part;
		t->ns[around] -= part;
	}
}

static void take_waits(struct stretch_times *t, const struct thread_stretch *s, size_t first,
		       size_t end)
{
	const uint32_t *global = t->intervals->x->model.process.at[s->process].global;
	for (size_t i = first; i < end; i++) {
		const struct wait_state *w = &t->waits->wait.at[i];
		if (w->node == NONE || global[w->node] == NONE)
			continue;
		add(t, global[w->node], -taken_from_node(w, s->from), true);
		if (w->until > s->waits_from)
			add(t, place_waiting(t), wait_within(w, s->waits_from), true);
	}
	for (size_t i = 0; i < t->used.n; i++)
		if (t->used.at[i] < t->intervals->x->model.node.n)
			take_from_around(t, t->used.at[i]);
}

static void find_lack(struct stretch_times *t, const struct thread_stretch *s)
{
	uint32_t unit = unit_of(t->intervals->x, s->process, s->slot);
	int64_t all = 0, lack = lacks_within(t->lacks, unit, s->from, s->to);
	for (size_t i = 0; i < t->used.n && lack > 0; i++)
		all += t->ns[t->used.at[i]] > 0 ? t->ns[t->used.at[i]] : 0;
	t->lack_ns = lack < all ? lack : all;
	t->all_ns = all;
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
	if (is_held(t, s))
		return;
	t->held = *s;
	clear(t);
	if (s->from >= s->to)
		return;
	interval_for_each(t->intervals, s->process, s->slot, s->from, s->to, take, &side);
	take_waits(t, s, first, end);
	find_lack(t, s);
}
