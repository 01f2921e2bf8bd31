// SPDX-License-Identifier: BSD-3-Clause
/* sampled_culprits.c - divides the waits of a thread for another one of its process among the
 * functions that samples of the other thread show during the waits. Called by one thread.
 *
 * The runtime recorded the measured node in which the culprit was, but not when each wait was. The
 * samples of the waiting thread say when: the sampler takes them in the node of the wait.
 *
 *     victim     ~~~~~~~~~ waits ~~~~~~~~~    samples in the node of the wait
 *     culprit    f f f f f f f g g g g g g    its samples meanwhile: half of the wait is due to f
 *
 * LIMIT: waits that are shorter than the time between two samples have no samples. Then the culprit
 * is the measured node. */
#include "experiment/sampled/sampled_culprits.h"

#include <stdlib.h>

#include "base/sort.h"

enum { SURE = 4 }; /* samples of the culprit; fewer say little */

/* Samples of a slot that were taken one after the other. node: that of their innermost function;
 * `top` if there is none. */
struct taken { uint32_t slot, top, node; uint64_t first, last; double count; };
typedef VEC(struct taken) taken_list;

struct share { uint32_t node; double count; };
typedef VEC(struct share) share_list;

static int by_slot_and_time(const void *va, const void *vb)
{
	const struct taken *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->last, b->last);
}

static taken_list sort_by_time(const struct profile *p, const struct stacks *stacks,
			       const struct stack_nodes *of)
{
	taken_list taken = { 0 };
	for (size_t i = 0; i < stacks->moments.n; i++) {
		const struct stacks_moments *m = &stacks->moments.at[i];
		const struct stacks_stack *stack = &stacks->stack.at[m->stack];
		uint32_t top = profile_node_at(p, stack->node);
		bool has_functions = of[m->stack].node != of[m->stack].top;
		if (top != NONE)
			*vec_push(&taken) = (struct taken){
				stack->slot, top, has_functions ? of[m->stack].node : top, m->first,
				m->last, m->count,
			};
	}
	vec_sort(&taken, by_slot_and_time);
	return taken;
}

static void add_share(share_list *shares, uint32_t node, double count)
{
	for (size_t i = 0; i < shares->n; i++)
		if (shares->at[i].node == node) {
			shares->at[i].count += count;
			return;
		}
	*vec_push(shares) = (struct share){ node, count };
}

/* Adds what a thread did from `first` to `last`, as far as this was in the node `top`. */
static void add_between(share_list *shares, const taken_list *taken, uint32_t slot, uint32_t top,
			uint64_t first, uint64_t last)
{
	size_t i = search_first(at, 0, taken->n, taken->at[at].slot < slot ||
				(taken->at[at].slot == slot && taken->at[at].last < first));
	for (; i < taken->n && taken->at[i].slot == slot; i++) {
		const struct taken *t = &taken->at[i];
		uint64_t from = t->first > first ? t->first : first;
		uint64_t to = t->last < last ? t->last : last;
		if (t->first > last && t->last - t->first < last - first)
			break;
		if (t->top != top || t->first > last)
			continue;
		double part = t->last > t->first && to > from ?
			(double)(to - from) / (double)(t->last - t->first) :
			t->last == t->first;
		add_share(shares, t->node, t->count * part);
	}
}

/* Moves parts of the waits of entry `i` to entries of functions. */
static void divide(struct profile *p, size_t i, const taken_list *taken,
		   share_list *shares)
{
	const struct profile_culprit whole = p->culprit.at[i];
	double all = 0;
	size_t at = search_first(k, 0, taken->n, taken->at[k].slot < whole.slot);
	shares->n = 0;
	for (; at < taken->n && taken->at[at].slot == whole.slot; at++)
		if (taken->at[at].top == whole.node)
			add_between(shares, taken, whole.other, whole.culprit,
				    taken->at[at].first, taken->at[at].last);
	for (size_t k = 0; k < shares->n; k++)
		all += shares->at[k].count;
	for (size_t k = 0; all >= SURE && k < shares->n; k++) {
		struct profile_culprit part = whole;
		part.ticks = (uint64_t)((double)whole.ticks * shares->at[k].count / all);
		part.ticks = part.ticks < p->culprit.at[i].ticks ? part.ticks :
								   p->culprit.at[i].ticks;
		if (shares->at[k].node == whole.culprit || !part.ticks)
			continue;
		part.culprit = shares->at[k].node;
		part.flags |= SIS_CULPRIT_ESTIMATED;
		p->culprit.at[i].ticks -= part.ticks;
		*vec_push(&p->culprit) = part;
	}
}

void sampled_culprits_add(struct profile *p, const struct stacks *stacks,
			  const struct stack_nodes *of)
{
	share_list shares = { 0 };
	taken_list taken = sort_by_time(p, stacks, of);
	size_t culprits = p->culprit.n;
	for (size_t i = 0; taken.n && i < culprits; i++)
		if (p->culprit.at[i].node != NONE && p->culprit.at[i].culprit != NONE)
			divide(p, i, &taken, &shares);
	vec_free(&shares);
	vec_free(&taken);
}
