/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_timing.h - probes while some nodes have a rung below the highest (schema/profile.h), or
 * the clock is not the time-stamp counter, or the first activations are counted. pair.h includes
 * this file; it is never installed. The thread that runs the probe executes it.
 *
 *     rung of the node            node->start after enter            what leave does
 *     full                        the time                           sis__end_timed
 *     one in N: the timed one     the time | CHOSEN                  sis__end_timed; counts N times
 *               the others        time of the last probe | UNTIMED   changes only `current`
 *     sampled                     SAMPLED                            changes only `current`
 *
 * A leave depends only on node->start, so another thread may change the rung at any time. As long
 * as no activation of a node was short, each is timed. `min` is the highest number at first.
 *
 * If a timed activation is inside a sampled one, its time is added to the node of the sampled
 * activation as well (sis__add_inside). Samples give the rest of that node's time.
 *
 * In a process that traces, the program's copy of sis__timing is SIS__TRACED. Then the program's
 * probes go on in traced_pair.h.
 */
#ifndef SIS_SAMPLED_TIMING_H
#define SIS_SAMPLED_TIMING_H

#pragma GCC system_header /* as in sis/probe.h, which includes pair.h */
#include "sis/fp_environment.h"
#include "sis/probe_state.h"
#include "sis/traced_pair.h"

#define SIS__SHORT 4096u /* ticks */
#define SIS__CHANCE (-0x61c88647) /* 2^32 times the golden ratio */

/* Whether activation `k` of the node is timed. One of each N is chosen by chance. If each N-th was
 * chosen, work that the program does in the same rhythm would be timed always or never. */
SIS__INLINE int sis__is_chosen(const struct sis__node *node, unsigned long long k)
{
	unsigned long long mask = SIS__TIMING - 1;
	unsigned long long chance = ((k & ~mask) + (unsigned long)node) *
		(unsigned long long)SIS__CHANCE;
	return ((chance >> 32 ^ k) & mask) == 0;
}

SIS__NOINLINE void sis__start_timed(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now;
	if (__builtin_expect(sis__visits_left != 0, 0) && --sis__visits_left == 0)
		sis__visits_over();
	now = sis__now();
	self->stamp = now;
	node->start = now;
}

SIS__NOINLINE void sis__start_chosen(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__now();
	self->stamp = now;
	node->start = now | SIS__START_CHOSEN;
}

SIS__NOINLINE void sis__start_sampled(struct sis__thread *self, struct sis__node *node,
				      struct sis__node *parent)
{
	unsigned rung = node->rung;
#ifdef SIS__OF_PROGRAM
	if (__builtin_expect(SIS__TIMING == SIS__TRACED, 1)) {
		sis__start_traced(self, node);
		return;
	}
#endif
	self->entered_from = parent;
	self->current = node;
	if (rung == SIS__FULL || node->min >= SIS__SHORT)
		sis__start_timed(self, node);
	else if (rung == SIS__SAMPLED)
		node->start = SIS__START_SAMPLED;
	else if (sis__is_chosen(node, node->calls - 1))
		sis__start_chosen(self, node);
	else
		node->start = self->stamp | SIS__START_UNTIMED;
}

/* Ends an activation that lasted `ticks`; its node's total grows by `counted`. */
SIS__INLINE void sis__end_activation(struct sis__thread *self, struct sis__node *node,
				     unsigned long long now, unsigned long long ticks,
				     unsigned long long counted)
{
	if (__builtin_expect(ticks < node->min, 0))
		node->min = ticks;
	if (__builtin_expect(ticks > node->max, 0))
		node->max = ticks;
	self->stamp = now;
	node->total += counted;
	self->current = node->parent;
}

/* Adds the `ticks` of a timed activation to `node` and to the nodes around it, as long as their
 * activations are sampled. */
SIS__NOINLINE void sis__add_inside(struct sis__node *node, unsigned long long ticks)
{
	for (; node && node->start == SIS__START_SAMPLED; node = node->parent)
		node->total += ticks;
}

SIS__NOINLINE void sis__add_timed(struct sis__estimate *estimate, unsigned long long ticks)
{
	estimate->timed++;
	estimate->ticks += (double)ticks;
	estimate->ticks_squared += (double)ticks * (double)ticks;
}

/* Counts an activation that stands for N. Returns the ticks by which the node's total grows. A long
 * activation of a region that is always brief counts only once. */
SIS__INLINE unsigned long long sis__count_one_in(struct sis__node *node, unsigned long long ticks)
{
	struct sis__estimate *estimate = node->estimate;
	unsigned long long program;
	if (estimate) {
		if (ticks >= SIS__SHORT && estimate->rungs & SIS__BRIEF)
			return ticks;
		program = sis__arithmetic_begin();
		sis__add_timed(estimate, ticks);
		sis__arithmetic_end(program);
	}
	return ticks * sis__sampling;
}

/* Does the same for an activation that was timed by probes. */
SIS__NOINLINE unsigned long long sis__count_chosen(struct sis__node *node, unsigned long long ticks)
{
	unsigned long long excess = sis__sampling_excess;
	return sis__count_one_in(node, ticks > excess ? ticks - excess : 0);
}

SIS__NOINLINE void sis__end_timed(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__now(), ticks = now - node->start, counted = ticks;
	if (node->start & SIS__START_CHOSEN) {
		ticks += SIS__START_CHOSEN;
		counted = sis__count_chosen(node, ticks);
	}
	sis__end_activation(self, node, now, ticks, counted);
	if (__builtin_expect(self->current->start == SIS__START_SAMPLED, 0))
		sis__add_inside(self->current, counted);
}

/* Without a clock read, nothing hides the time of loads, and the next probe waits for `current`.
 * entered_from is loaded earlier than node->parent. So entered_from becomes the current node. A
 * branch, which the processor predicts, only confirms that entered_from equals node->parent. */
SIS__NOINLINE void sis__end_sampled(struct sis__thread *self, struct sis__node *node)
{
	struct sis__node *parent, *same;
#ifdef SIS__OF_PROGRAM
	if (__builtin_expect(SIS__TIMING == SIS__TRACED, 1)) {
		sis__end_traced(self, node);
		return;
	}
#endif
	parent = self->entered_from;
	if (!(node->start & SIS__START_UNTIMED)) {
		sis__end_timed(self, node);
		return;
	}
	/* The compiler must not know that `same` equals node->parent below, or it would store
	 * node->parent ... */
	__asm__("" : "=r"(same) : "0"(parent));
	if (__builtin_expect(parent == node->parent, 1)) {
		__asm__ volatile(""); /* ... or use a conditional move, which waits for both. */
		self->current = same;
		return;
	}
	self->current = node->parent;
}

#endif
