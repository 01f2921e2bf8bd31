/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.h - what a thread does when it enters a construct, or takes a lock, that no other
 * thread has. The thread itself.
 *
 * Its idea: most of these entries do not wait and take less time than a reading of the clock. So
 * they are counted, and one in SIS_UNTIMED of them is timed, on the average, and stands for those
 * since the one before. An entry that waits is timed always (critical_ordered.c).
 *
 *     entries   c c c c c T c c c c c c c c W c c T      c counted   W waits: timed
 *               `--- 6 ---'                              T timed, and stands for so many
 *
 * These functions are for threads whose probes take the fast path. A thread that traces has an
 * event of each entry, so all of its entries are timed.
 */
#ifndef SIS_OMP_UNCONTENDED_H
#define SIS_OMP_UNCONTENDED_H

#include "wait_causes/culprit.h"
#include "omp/omp_team.h"

#pragma GCC visibility push(hidden)

/* This thread if it is measured and does not trace, and no callbacks report what it does; else
 * NULL. */
static inline struct sis_thread *sis__thread_direct(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	return thread != &sis__empty && sis__omp_is_interposed() ? thread : NULL;
}

/* Whether the thread's next entry is not timed if it does not wait. */
static inline bool sis__passes_untimed(struct sis_thread *thread)
{
	uint32_t left = thread->untimed;
	if (SIS_UNLIKELY(left == 0))
		return false;
	thread->untimed = left - 1;
	return true;
}

/* The child of the current node for region `wait`; the current node if that is of type `same`.
 * NULL: no memory. */
struct sis_node *sis__wait_node(struct sis_thread *thread, uint32_t wait,
				enum sis_region_type same);

/* Counts an entry in region `wait` below the current node, unless that is of type `same` and has
 * counted it. Returns its node. */
static inline struct sis_node *sis__count_entry(struct sis_thread *thread, uint32_t wait,
						enum sis_region_type same)
{
	struct sis_node *current = thread->pub.current, *node = current->last_child;
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

/* The thread, whose last entry was in `node`, has got a lock for which others wait. */
void sis__lock_passed(struct sis_thread *thread, struct sis_node *node, const void *lock);
/* The thread has got a lock after no wait, or one that is not worth to be timed. */
static inline void sis__lock_was_free(struct sis_thread *thread, const void *lock, uint32_t wait,
				      enum sis_region_type same)
{
	struct sis_node *node = sis__count_entry(thread, wait, same);
	sis__lock_hold(thread, lock);
	if (SIS_UNLIKELY(sis__lock_is_awaited(lock)))
		sis__lock_passed(thread, node, lock);
}

/* For an entry that was not timed, into a lock that this thread had had last before the entry.
 * sis__entered_after_loss: another thread has had the lock in between. So this thread has waited
 * at least since the other one got the lock. */
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

/* Counts an entry that was timed and stands for those since the one before, unless it was long.
 * Returns its node. */
struct sis_node *sis__count_sampled(struct sis_thread *thread, uint32_t wait,
				    enum sis_region_type same, uint64_t from, uint64_t now);
/* The same of an entry that was timed. If it did not wait, it stands for those since the one
 * before. */
void sis__entered_sampled(struct sis_thread *thread, const void *lock, uint32_t wait,
			  enum sis_region_type same, uint64_t from, uint64_t now);

/* Counts a wait for the other members of the team, of which there are none. */
void sis__count_no_wait(struct sis_thread *thread, uint32_t wait);

#pragma GCC visibility pop
#endif
