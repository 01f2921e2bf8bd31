/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h - recursion deeper than SIS_RECURSION. Called by the thread that fills the slot. */
#ifndef SIS_FOLD_H
#define SIS_FOLD_H

#include "base/state.h"

#pragma GCC visibility push(hidden)

/* Returns the node to which an activation of region `id` that begins now is added. NULL: the
 * activation does not fold. */
struct sis_node *sis__fold_target(struct sis_thread *thread, uint32_t id);
/* Makes room to note a folded activation. False: no memory. */
bool sis__fold_reserve(struct sis_thread *thread, const struct sis_node *target);
void sis__fold_begin(struct sis_thread *thread, struct sis_node *target, uint64_t now);
/* Ends the innermost activation, which must be folded. Returns its ticks. */
uint64_t sis__fold_end(struct sis_thread *thread, uint64_t now);
/* Called in a forked child for each open activation: if it is folded, it begins now. */
void sis__fold_restart(struct sis_thread *thread, struct sis_activation at, uint64_t now);
/* Frees the memory for folded activations if it is large. No activation is folded now. */
void sis__fold_release(struct sis_thread *thread);

/* -- direct recursion --------------------------------------------------------------------------
 *
 * A region is entered in its own node, for example f in f#32. No node is suspended, and the current
 * node stays the same. So begin and end need no guard against signal handlers. A handler that
 * interrupts the begin finds one of three states:
 *
 *      before `folds` grows        the handler uses these words, and frees them before it returns
 *      before `node` is stored     the fold belongs to no node: the innermost activation is still
 *                                  the one around this activation
 *      after that                  this activation is open
 *
 * LIMIT: if a handler ends the process in the second state, the node's minimum and maximum do not
 * include this activation. It is counted, and its time is in the node's total. */
enum { SIS_FOLD_WORDS = sizeof(struct sis_fold) / sizeof(uint64_t) };

/* Whether an activation of `id` that begins now is a direct recursion, and there is room to note
 * it. */
static inline bool sis__fold_is_direct(const struct sis_thread *thread, uint32_t id)
{
	return thread->pub.current->region == (id | SIS_NODE_FOLDS) &&
		thread->folds + SIS_FOLD_WORDS <= thread->fold_room;
}

/* If the activation is not timed, gates do the same in assembly at its begin and at its end
 * (sis/gate_pair_of_width.h). */
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

/* Whether the innermost activation ends as a direct recursion. The thread has an open folded
 * activation. */
static inline bool sis__fold_ends_direct(const struct sis_thread *thread)
{
	const struct sis_fold *fold = sis__fold_of(thread, sis__innermost(thread));
	return fold && !fold->suspended;
}

/* Returns the ticks of the activation; SIS_NO_TICKS: it was not timed. */
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

/* Begins an activation that folds into the current node. False: the activation does not fold there,
 * or there is no room. For a thread that is not measured, or that traces, `thread` is the empty
 * thread. Its current node has no region, so the result is false. */
static inline bool sis__fold_enter(struct sis_thread *thread, uint32_t id)
{
	if (!sis__fold_is_direct(thread, id))
		return false;
	thread->pub.probes++;
	thread->pub.current->calls++;
	sis__fold_begin_direct(thread);
	return true;
}

/* Ends such an activation. The current node is a node that folds. False: the activation must be
 * ended on a slow path. */
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
