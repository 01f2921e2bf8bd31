/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_holders.c - which slot holds a lock that can be tested. The threads that take such locks and
 * that wait for them.
 *
 * Its idea: who takes a lock that is free pays next to nothing. It notes the lock in its own state,
 * and takes the note back before it releases the lock. A thread that finds the lock taken looks
 * into the states of all threads. While it waits, each thread that gets the lock also notes itself
 * in lock_history.c; a counter, which others only read, tells it to.
 *
 *     slot 0  |== holds, own note ==|                       |== holds ...
 *     slot 1        |~~ waits: looks, finds slot 0 ~~~~~~~~~|~~ ...
 *     slot 2                        |== history: since now ==|
 *
 * LIMIT: of more than SIS_HELD locks that a thread holds at once, some are not noted.
 */
#include "base/slot_table.h"
#include "wait_causes/culprit.h"

uint32_t sis__lock_waiters[SIS_LOCKS];

void sis__lock_hold_more(struct sis_thread *thread, const void *lock)
{
	unsigned i = 1;
	while (i < SIS_HELD - 1 && thread->held[i])
		i++;
	__atomic_store_n(&thread->held[i], lock, __ATOMIC_RELAXED);
}

void sis__lock_release_more(struct sis_thread *thread, const void *lock)
{
	for (unsigned i = 1; i < SIS_HELD; i++)
		if (thread->held[i] == lock) {
			__atomic_store_n(&thread->held[i], NULL, __ATOMIC_RELAXED);
			return;
		}
}

static bool holds(const struct sis_thread *thread, const void *lock)
{
	/* Relaxed: what is read was right a moment ago. The lock itself orders its notes. */
	for (unsigned i = 0; i < SIS_HELD; i++)
		if (__atomic_load_n(&thread->held[i], __ATOMIC_RELAXED) == lock)
			return true;
	return false;
}

/* The holder's note may come a moment later than its lock. */
uint32_t sis__lock_holder(const void *lock)
{
	enum { LOOKS = 4 };
	uint32_t slots = __atomic_load_n(&sis__header()->max_slots, __ATOMIC_RELAXED);
	for (int look = 0; look < LOOKS; look++)
		for (uint32_t slot = 0; slot < slots; slot++) {
			const struct sis_thread *thread = sis__slot(slot);
			if (thread && holds(thread, lock) && sis__slot_is_taken(slot))
				return slot;
		}
	return SIS_NO_SLOT;
}
