/* SPDX-License-Identifier: BSD-3-Clause */
/* match_loss.c - finds which part of a wait was loss of parallelism. Changes nothing in the model;
 * called by one thread.
 *
 * A window is the time between two successive arrivals. In a window, some ranks wait. The other
 * ranks are the workers: they work, unless they are inside MPI. If all workers are in regions that
 * no waiting rank has run since its last collective, the program has no work for the waiting ranks.
 * This is loss of parallelism:
 *
 *     rank 0   serial() ........... Bcast     windows: [1's arrival, 2's), [2's, 0's)
 *     rank 1   Bcast ~~~~~~~~~~~~~~
 *     rank 2   prepare() Bcast ~~~~
 *
 * In the second window only rank 0 works, in main/serial, which ranks 1 and 2 did not run. This
 * work is unparallelized.
 *
 * The holder of a path is the first arrival that ran it. In the window after arrival j, arrivals 0
 * .. j wait. If the path's holder is an arrival after j, no waiting rank ran the path. */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "experiment/match/match_internal.h"
#include "experiment/model/regions.h"

struct own { uint32_t holder; int64_t ns; };
struct worker { /* the work of an arrival since its last collective, by holder of its path */
	VEC(struct own) own;
	int64_t used; /* ns of `own` that were counted in earlier windows */
	int64_t left; /* ns of `own` that can still be counted in the current window */
	const struct call *call, *call_end; /* its calls of MPI from the current moment on */
};
struct loss {
	const struct experiment *x;
	const struct arrival *arrival;
	size_t n;
	struct map holder; /* node of the experiment -> first arrival with a phase that ran it */
	struct worker *worker;
};

/* Whether the time of a node counts as work that the program gave to a rank. Work and regions of
 * the source count; waits and messages do not. */
static bool counts(const struct experiment *x, uint32_t node)
{
	const struct region *region = region_of_node(x, node);
	return !sis_region_in(region->type, CR_MPI) &&
		(region_leaf(region) == O_NONE ||
		 strncmp(sis_region_table[region->type].name, "CR_", 3) == 0);
}

/* Makes the arrival the holder of the node, and of all nodes above it that have no holder yet. If a
 * node has a holder, all nodes above it have a holder, too. */
static void hold(struct loss *l, uint32_t node, uint32_t arrival)
{
	for (bool fresh = true; node != NONE && fresh; node = l->x->model.node.at[node].parent)
		map_put(&l->holder, node, 0, arrival, &fresh);
}

/* A walk over the nodes that the arrival's process ran since its last collective. These are the
 * entries of its phases. The walk begins with the last phase. */
struct phase_walk {
	const struct process *p;
	const struct process_match *found;
	uint32_t link;
	size_t entry;
};

static struct phase_walk phases_of(const struct loss *l, size_t i)
{
	const struct arrival *a = &l->arrival[i];
	return (struct phase_walk){ &l->x->model.process.at[a->process],
				    &l->x->match.process.at[a->process], a->phase, 0 };
}

/* The next entry of the walk; NULL at the end. */
static const struct profile_phase *next_entry(struct phase_walk *walk)
{
	while (walk->link != NONE) {
		const struct phase_link *link = &walk->found->phase.at[walk->link];
		const struct profile_record *phase = &walk->p->profile.record.at[link->record];
		if (walk->entry < phase->entries)
			return &walk->p->profile.phase.at[phase->first + walk->entry++];
		walk->link = link->earlier;
		walk->entry = 0;
	}
	return NULL;
}

static void find_holders(struct loss *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct phase_walk walk = phases_of(l, i);
		const uint32_t *global = walk.p->global;
		uint32_t call = l->arrival[i].node;
		if (call != NONE && global[call] != NONE)
			hold(l, l->x->model.node.at[global[call]].parent, i);
		for (const struct profile_phase *e; (e = next_entry(&walk));)
			if (e->node != NONE && global[e->node] != NONE)
				hold(l, global[e->node], i);
	}
}

/* The first of the arrivals up to `self` that ran the node. If a rank came soon after its last
 * collective, it has no phase. Then it is not known whether it ran the node since that collective.
 * Such a rank counts if it ran the node at any time in the run. */
static uint32_t first_holder(const struct loss *l, uint32_t node, uint32_t self)
{
	uint32_t first = map_get(&l->holder, node, 0);
	first = first < self ? first : self;
	for (uint32_t i = 0; i < first; i++) {
		const struct arrival *a = &l->arrival[i];
		uint32_t pu = l->x->model.process.at[a->process].first_pu + a->slot;
		if (a->phase == NONE && experiment_summary(l->x, node, pu) != INDEX_NONE)
			return i;
	}
	return first;
}

static void find_own(struct loss *l, uint32_t i)
{
	struct phase_walk walk = phases_of(l, i);
	const struct process *p = walk.p;
	for (const struct profile_phase *e; (e = next_entry(&walk));) {
		uint32_t node = e->node == NONE ? NONE : p->global[e->node];
		bool work = node != NONE && counts(l->x, node);
		uint32_t holder = work ? first_holder(l, node, i) : 0;
		if (holder)
			*vec_push(&l->worker[i].own) =
				(struct own){ holder, clock_span_ns(&p->clock, e->ticks) };
	}
}

/* The part of the worker's work in paths that none of the waiting arrivals 0 .. j ran, without what
 * was counted in earlier windows. */
static int64_t own_left(const struct worker *w, size_t j)
{
	int64_t ns = -w->used;
	for (size_t k = 0; k < w->own.n; k++)
		ns += w->own.at[k].holder > j ? w->own.at[k].ns : 0;
	return ns > 0 ? ns : 0;
}

/* -- loss in a window -------------------------------------------------------------------------- */

/* Whether the worker is outside of MPI at `time`. Lowers *until to the time at which this may
 * change. */
static bool works(const struct loss *l, size_t i, int64_t time, int64_t *until)
{
	struct worker *w = &l->worker[i];
	while (w->call < w->call_end && w->call->slot == l->arrival[i].slot &&
	       w->call->exit <= time)
		w->call++;
	if (w->call == w->call_end || w->call->slot != l->arrival[i].slot)
		return true;
	bool inside = w->call->enter <= time;
	int64_t change = inside ? w->call->exit : w->call->enter;
	*until = change < *until ? change : *until;
	return !inside;
}

/* ns of a window that are loss of parallelism. one: a single worker worked; some: several did */
struct share { int64_t one, some; };

/* Returns the time until which the same workers work as at `time`. Adds the loss from `time` to the
 * result to `share`. */
static int64_t next_step(struct loss *l, size_t j, int64_t time, int64_t until, struct share *share)
{
	size_t working = 0, only = 0;
	int64_t own = INT64_MAX;
	for (size_t i = j + 1; i < l->n; i++)
		if (works(l, i, time, &until)) {
			working++;
			only = i;
			own = l->worker[i].left < own ? l->worker[i].left : own;
		}
	int64_t loss = working == 0 ? 0 : own < until - time ? own : until - time;
	*(working == 1 ? &share->one : &share->some) += loss;
	for (size_t i = working == 1 ? only : j + 1; loss > 0 && i < l->n; i++) {
		int64_t ignored = INT64_MAX;
		if (works(l, i, time, &ignored)) {
			l->worker[i].left -= loss;
			l->worker[i].used += loss;
		}
	}
	return until;
}

/* The window after arrival j: the workers are j+1 .. n-1. */
static struct share window_loss(struct loss *l, size_t j)
{
	struct share share = { 0 };
	int64_t time = l->arrival[j].enter, end = l->arrival[j + 1].enter;
	if (end - time < SHORTEST_NS)
		return share;
	bool any = false;
	for (size_t i = j + 1; i < l->n; i++) {
		l->worker[i].left = own_left(&l->worker[i], j);
		any |= l->worker[i].left > 0;
	}
	for (size_t i = j + 1; any && i < l->n; i++) {
		const struct arrival *a = &l->arrival[i];
		const calls *list = &l->x->match.process.at[a->process].calls;
		/* the first call of the arrival's thread that ends after `time` */
		size_t low = search_first(c, 0, list->n, list->at[c].slot < a->slot ||
					  (list->at[c].slot == a->slot &&
					   list->at[c].exit <= time));
		l->worker[i].call = list->at ? list->at + low : NULL;
		l->worker[i].call_end = list->at ? list->at + list->n : NULL;
	}
	while (any && time < end) /* in most windows, no worker has work of its own: !any */
		time = next_step(l, j, time, end, &share);
	return share;
}

void match_loss(const struct experiment *x, const struct arrival *arrival, size_t n, size_t last,
		int64_t *one, int64_t *some)
{
	struct loss l = { .x = x, .arrival = arrival, .n = n };
	if (last == 0 || arrival[last].enter - arrival[0].enter < SHORTEST_NS ||
	    arrival[n - 1].phase == NONE)
		return;
	l.worker = mem_alloc(n, sizeof *l.worker);
	find_holders(&l);
	for (size_t i = 1; i < n; i++)
		find_own(&l, i);
	for (size_t j = 0; j < last; j++) {
		struct share share = window_loss(&l, j);
		one[j] = share.one;
		some[j] = share.some;
	}
	for (size_t j = last; j-- > 0;) { /* arrival j waits in its window and in all later ones */
		one[j] += one[j + 1];
		some[j] += some[j + 1];
	}
	for (size_t i = 0; i < n; i++)
		vec_free(&l.worker[i].own);
	free(l.worker);
	map_free(&l.holder);
}
