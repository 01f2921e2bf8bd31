/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_timing.h - probes with SIS_TIMING=1/N, and those whose clock is not the time-stamp
 * counter. pair.h includes it; never installed. The thread that runs the probe.
 *
 * If activations of a node are short, one in N of them is timed, and that one counts N times. A
 * node is timed every time as long as none of its activations was short: `min` begins with the
 * highest number. The lowest bit of node->start is 1 in an activation that is not timed. The rest
 * of `start` is then the time of the probe before, which serves where something other than a leave
 * of the region ends the activation.
 *
 *     enter   sis__start_sampled   is this one timed?   yes: sis__start_timed   no: start | 1
 *     leave   sis__end_sampled     was it timed?        yes: sis__end_timed     no: only `current`
 *
 * With another clock sis__timing is 1, and every activation takes the first way. With a trace it is
 * SIS__TRACED in the program's probes: traced_pair.h has what follows.
 */
#ifndef SIS_SAMPLED_TIMING_H
#define SIS_SAMPLED_TIMING_H

#pragma GCC system_header /* as sis/probe.h, which includes pair.h */
#include "sis/probe_state.h"
#include "sis/traced_pair.h"

#define SIS__SHORT 4096u /* ticks */

/* Which one of each N is timed is a matter of chance. With a fixed one, what the program does in
 * the same rhythm would be timed always or never. */
SIS__INLINE int sis__is_chosen(const struct sis__node *node)
{
	unsigned long long mask = SIS__TIMING - 1, k = node->calls - 1;
	unsigned long long chance = ((k & ~mask) + (unsigned long)node) * 0x9e3779b97f4a7c15u;
	return ((chance >> 32 ^ k) & mask) == 0;
}

SIS__NOINLINE void sis__start_timed(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__now();
	self->stamp = now;
	node->start = sis__sampling ? now & ~1ull : now;
}

SIS__NOINLINE void sis__start_sampled(struct sis__thread *self, struct sis__node *node,
				      struct sis__node *parent)
{
#ifdef SIS__OF_PROGRAM
	if (__builtin_expect(SIS__TIMING == SIS__TRACED, 1)) {
		sis__start_traced(self, node);
		return;
	}
#endif
	self->entered_from = parent;
	self->current = node;
	if (node->min >= SIS__SHORT || sis__is_chosen(node))
		sis__start_timed(self, node);
	else
		node->start = self->stamp | 1;
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

SIS__NOINLINE void sis__end_timed(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__now(), ticks = now - node->start, weight = 1, excess = 0;
	if (sis__sampling != 0 && node->min < SIS__SHORT) {
		weight = sis__sampling;
		excess = sis__sampling_excess;
	}
	sis__end_activation(self, node, now, ticks, ticks > excess ? (ticks - excess) * weight : 0);
}

/* Without a clock read nothing hides the loads: the next probe waits for `current`. entered_from is
 * known earlier than node->parent. So it becomes the current node, and node->parent only confirms
 * it, in a branch that the processor predicts. */
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
	if (SIS__TIMING <= 1 || !(node->start & 1)) {
		sis__end_timed(self, node);
		return;
	}
	/* The compiler must not know that `same` equals node->parent below, or it would store
	 * node->parent ... */
	__asm__("" : "=r"(same) : "0"(parent));
	if (__builtin_expect(parent == node->parent, 1)) {
		__asm__ volatile(""); /* ... or select one of the two, which waits for both. */
		self->current = same;
		return;
	}
	self->current = node->parent;
}

#endif
