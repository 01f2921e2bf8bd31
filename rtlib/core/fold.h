/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h - recursion deeper than SIS_RECURSION. The thread that fills the slot. */
#ifndef SIS_FOLD_H
#define SIS_FOLD_H

#include "base/state.h"

#pragma GCC visibility push(hidden)

/* The node that an activation entered now is added to; NULL: it gets a node of its own. */
struct sis_node *sis__fold_target(struct sis_thread *thread, uint32_t id);
/* Room to begin it; false: no memory. */
bool sis__fold_reserve(struct sis_thread *thread, const struct sis_node *target);
void sis__fold_begin(struct sis_thread *thread, struct sis_node *target, uint64_t now);
/* Ends the innermost activation, which is folded. Returns its ticks. */
uint64_t sis__fold_end(struct sis_thread *thread, uint64_t now);
/* In a forked child. */
void sis__fold_restart(struct sis_thread *thread, struct sis_activation at, uint64_t now);
void sis__fold_release(struct sis_thread *thread); /* much memory, when nothing is open */

/* -- direct recursion --------------------------------------------------------------------------
 *
 * A region entered in its own node, f in f#32: no node is suspended, and the current node stays.
 * So these two need no guard against signal handlers. A handler finds one of three states:
 *
 *      before `folds` grows        it uses the same words, and is done with them when it returns
 *      before `node` is stored     no node's fold: f#32 is current, in the activation around this
 *      after that                  this activation is open
 *
 * LIMIT: a handler that ends the process in the second state leaves this activation out of the
 * node's extremes. It is counted, and its time is in the node's total as in any other case. */
enum { SIS_FOLD_WORDS = sizeof(struct sis_fold) / sizeof(uint64_t) };

/* Whether an activation of `id` is begun so. False also when the stack has no room. */
static inline bool sis__fold_is_direct(const struct sis_thread *thread, uint32_t id)
{
	return thread->pub.current->region == (id | SIS_NODE_FOLDS) &&
		thread->folds + SIS_FOLD_WORDS <= thread->fold_room;
}

/* Where nothing is timed, gates do the same and its end in assembly: sis/gate_pair_of_width.h. */
static inline void sis__fold_begin_direct(struct sis_thread *thread)
{
	struct sis_node *node = thread->pub.current;
	struct sis_fold *fold = (struct sis_fold *)(thread->fold + thread->folds);
	fold->node = NULL;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->folds += SIS_FOLD_WORDS;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fold->from = node;
	fold->suspended = 0;
	fold->start = SIS_START_SAMPLED;
	if (node->rung != SIS_RUNG_SAMPLED || node->min >= SIS__SHORT)
		fold->start = thread->pub.stamp = sis__ticks();
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fold->node = node;
}

/* Of a thread with an open folded activation. */
static inline bool sis__fold_ends_direct(const struct sis_thread *thread)
{
	const struct sis_fold *fold = sis__fold_of(thread, sis__innermost(thread));
	return fold && !fold->suspended;
}

/* SIS_NO_TICKS: it was not timed. */
static inline uint64_t sis__fold_end_direct(struct sis_thread *thread)
{
	const struct sis_fold *fold = (struct sis_fold *)(thread->fold + thread->folds) - 1;
	if (fold->start == SIS_START_SAMPLED) {
		thread->folds -= SIS_FOLD_WORDS;
		return SIS_NO_TICKS;
	}
	uint64_t now = sis__ticks(), ticks = now > fold->start ? now - fold->start : 0;
	thread->pub.stamp = now;
	thread->folds -= SIS_FOLD_WORDS;
	return ticks;
}

/* Begins an activation that folds into the current node. False: it does not fold there, or there is
 * no room. A thread that is not measured, or that traces, has the empty thread as its state. The
 * current node of the empty thread has no region. */
static inline bool sis__fold_enter(struct sis_thread *thread, uint32_t id)
{
	if (!sis__fold_is_direct(thread, id))
		return false;
	thread->pub.probes++;
	thread->pub.current->calls++;
	sis__fold_begin_direct(thread);
	return true;
}

/* The same of its end. The current node is one that folds. */
static inline bool sis__fold_leave(struct sis_thread *thread)
{
	if (thread->overlaps || thread->trace || !sis__fold_ends_direct(thread))
		return false;
	uint64_t ticks = sis__fold_end_direct(thread);
	if (SIS_LIKELY(ticks != SIS_NO_TICKS))
		sis__add_extremes(thread->pub.current, ticks);
	return true;
}

#pragma GCC visibility pop
#endif
