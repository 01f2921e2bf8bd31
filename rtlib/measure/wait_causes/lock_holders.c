/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_holders.c - which slot holds a lock that can be tested. Called by the threads that take such
 * locks, and by those that wait for them.
 *
 * The idea: a thread that takes a free lock pays next to nothing. It only notes the lock in its own
 * state, and removes the note before it releases the lock. A thread that finds the lock taken
 * searches the states of all threads for this note. While a thread waits, each thread that gets the
 * lock also adds itself to the history (lock_history.c). A counter of waiting threads, which owners
 * only read, shows whether a thread waits.
 *
 *     slot 0  |== holds, own note ==|                       |== holds ...
 *     slot 1        |~~ waits: looks, finds slot 0 ~~~~~~~~~|~~ ...
 *     slot 2                        |== history: since now ==|
 *
 * LIMIT: if a thread holds more than SIS_HELD locks at once, some of them are not noted.
 */
#include "base/slot_table.h"
#include "measure/wait_causes/culprit.h"

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
	/* Relaxed: it is enough that the value was right a moment ago. The lock itself orders the
	 * notes of its owners. */
	for (unsigned i = 0; i < SIS_HELD; i++)
		if (__atomic_load_n(&thread->held[i], __ATOMIC_RELAXED) == lock)
			return true;
	return false;
}

/* Tries several times, because the holder writes its note a moment after it has got the lock. */
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
