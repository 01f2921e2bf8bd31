/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.h - entries in a construct or lock in which no other thread is. Called by the thread
 * that enters.
 *
 * The idea: most of these entries do not wait and take less time than a reading of the clock. So
 * these entries are only counted. On the average, one in SIS_UNTIMED of them is timed, and stands
 * for all entries since the last timed one. An entry that waits is always timed
 * (critical_ordered.c).
 *
 *     entries   c c c c c T c c c c c c c c W c c T      c counted   W waits: timed
 *               `--- 6 ---'                              T timed: stands for 6 entries
 *
 * These functions are for threads whose probes take the fast path. A thread that traces writes an
 * event for each entry, so all of its entries are timed.
 */
#ifndef SIS_OMP_UNCONTENDED_H
#define SIS_OMP_UNCONTENDED_H

#include "measure/wait_causes/culprit.h"
#include "adapters/omp/omp_team.h"

#pragma GCC visibility push(hidden)

/* The calling thread, if it is measured and does not trace, and no callbacks report its events;
 * else NULL. */
static inline struct sis_thread *sis__thread_direct(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	return thread != &sis__empty && sis__omp_is_interposed() ? thread : NULL;
}

/* Whether the thread's next entry stays untimed if it does not wait. Decrements the number of
 * untimed entries that are left. */
static inline bool sis__passes_untimed(struct sis_thread *thread)
{
	uint32_t left = thread->untimed;
	if (SIS_UNLIKELY(left == 0))
		return false;
	thread->untimed = left - 1;
	return true;
}

/* Returns the child of the current node for region `wait`, or the current node itself if it is of
 * type `same`. Returns NULL if there is no memory. */
struct sis_node *sis__wait_node(struct sis_thread *thread, uint32_t wait,
				enum sis_region_type same);

/* Counts an entry in region `wait` below the current node. If the current node is of type `same`,
 * it has counted the entry already, and nothing is added. Returns the node of the entry. */
static inline struct sis_node *sis__count_entry(struct sis_thread *thread, uint32_t wait,
						enum sis_region_type same)
{
	struct sis_node *current = thread->pub.current, *node = current->last_child;
	wait = sis__caller_region(wait);
	if (SIS_UNLIKELY(node->region != wait)) {
		if (SIS_LIKELY(same != CR_NONE && sis__current_type(thread) == same))
			return current;
		node = sis__wait_node(thread, wait, same);
		if (!node || node == current)
			return node;
	}
	node->calls++;
	return node;
}

/* Called when the thread has got a lock for which other threads wait; `node` is the node of its
 * entry. */
void sis__lock_passed(struct sis_thread *thread, struct sis_node *node, const void *lock);
/* Called when the thread has got a lock without a wait, or after one that is too short to be timed.
 */
static inline void sis__lock_was_free(struct sis_thread *thread, const void *lock, uint32_t wait,
				      enum sis_region_type same)
{
	struct sis_node *node = sis__count_entry(thread, wait, same);
	sis__lock_hold(thread, lock);
	if (SIS_UNLIKELY(sis__lock_is_awaited(lock)))
		sis__lock_passed(thread, node, lock);
}

/* sis__entered_untimed is for an untimed entry in a lock whose last owner before the entry was this
 * thread. If another thread has had the lock in between, it calls sis__entered_after_loss: this
 * thread has waited at least since the other one got the lock. */
void sis__entered_after_loss(struct sis_thread *thread, const void *lock, uint32_t wait,
			     enum sis_region_type same);
static inline void sis__entered_untimed(struct sis_thread *thread, const void *lock, uint32_t wait,
					enum sis_region_type same)
{
	if (SIS_LIKELY(sis__lock_is_own(thread, lock)))
		sis__count_entry(thread, wait, same);
	else
		sis__entered_after_loss(thread, lock, wait, same);
}

/* Counts a timed entry. Unless the entry was long, it stands for the entries since the last timed
 * one. Returns the entry's node. */
struct sis_node *sis__count_sampled(struct sis_thread *thread, uint32_t wait,
				    enum sis_region_type same, uint64_t from, uint64_t now);
/* The same as sis__entered_untimed for a timed entry. An entry that did not wait stands for the
 * entries since the last timed one. */
void sis__entered_sampled(struct sis_thread *thread, const void *lock, uint32_t wait,
			  enum sis_region_type same, uint64_t from, uint64_t now);

/* Counts a wait in a team of one, which has no other member to wait for. */
void sis__count_no_wait(struct sis_thread *thread, uint32_t wait);

#pragma GCC visibility pop
#endif
