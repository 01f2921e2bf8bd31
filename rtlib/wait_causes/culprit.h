/* SPDX-License-Identifier: BSD-3-Clause */
/* culprit.h - why threads of a process wait for each other. omp/, ompt/ and pthread/ call this.
 *
 *   culprit.c         sums: (where a thread waited, for which slot, where that was) -> how long
 *   recent_region.c   where a thread has spent its time since a moment
 *   interval.c        where the members of a team were between two barriers (interval.h)
 *   lock_history.c    which slots owned a lock, and since when
 *   lock_holders.c    which slot holds a lock, without a note at each turn
 *   rendezvous.c      which slot ended a wait on a condition, barrier, semaphore or join
 *
 * This work is done only for waits that were long (sis__wait_short), or may become long. For a lock
 * that is free, or a task without a waiter, only the owner is noted. Nothing here locks, and memory
 * is allocated only for a thread's first wait of a kind. `thread` is the caller's and not NULL:
 * measurement is on.
 */
#ifndef SIS_CULPRIT_H
#define SIS_CULPRIT_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Waits of fewer ticks are ignored: 20 us, which waking up a thread may take. */
uint64_t sis__wait_short(void);

/* Where a thread was: in `node` or, if inside, below it. */
struct sis_where {
	struct sis_node *node;
	unsigned flags; /* enum sis_culprit_flag */
};

/* Of the thread's wait in `node`, slot `slot` caused `ticks`; it was in `where` meanwhile. */
void sis__culprit(struct sis_thread *thread, struct sis_node *node, uint32_t slot,
		  struct sis_where where, uint64_t ticks);
bool sis__culprits_have_room(const struct sis_thread *thread);
void sis__culprits_restart(struct sis_thread *thread); /* in a forked child: there are none yet */

/* -- Where a thread was (recent_region.c) ------------------------------------------------------ */
/* Where the calling thread spent most of the time since `since`, by its tree. The answer is an
 * estimate unless, at each level of the tree, one activation took nine tenths of the time. */
struct sis_where sis__recent_region(const struct sis_thread *thread, uint64_t since, uint64_t now);

/* The same of another thread, which was in the node or below it between two times. */
struct sis_where sis__region_between(uint32_t slot, struct sis_node *node, uint64_t from,
				     uint64_t to);

/* The state of another thread at a moment, read from outside. */
struct sis_snapshot {
	uint32_t slot; /* SIS_NO_SLOT: there is no such thread */
	struct sis_node *node;
	uint64_t calls, total, start;
};
struct sis_snapshot sis__snapshot(uint32_t slot);
/* At the end of a wait that began with the snapshot: where that thread was in between. */
struct sis_where sis__snapshot_compare(const struct sis_snapshot *first, uint64_t from,
				       uint64_t now);

/* -- Owners of locks (lock_history.c): `lock` is any object that one thread at a time owns ----- */
struct sis_ordered_wait { /* for an ordered construct, which owners enter in a fixed order */
	uint64_t start;          /* ticks: when the thread began to wait */
	struct sis_where before; /* where it was until then: it may have come late */
};
/* The last owners of a lock. An owner is the lock's address and, in the upper bits, the thread's
 * slot. 0: none yet, or one that is not measured. Two locks may have the same place. All fields are
 * relaxed atomics, because owners of two locks may write to the same place. Small, because threads
 * that fight for a lock pass the lines of this on together with the lock's own. */
#define SIS_LOCK_OWNERS 6u
struct sis_lock_history {
	uint64_t owner; /* the last one, if it is measured */
	uint64_t count; /* the last one that was noted is ownership[count % SIS_LOCK_OWNERS] */
	struct sis_lock_ownership {
		uint64_t owner, since; /* ticks: when it got the lock */
		uintptr_t node;        /* where; lock_history.c uses its lowest bit */
	} ownership[SIS_LOCK_OWNERS];
} __attribute__((aligned(64)));
#define SIS_LOCKS 512u /* as many as sis__lock_place has values */
extern struct sis_lock_history sis__lock_history[SIS_LOCKS];
enum { SIS_ADDRESS_BITS = 48 };
static inline uint64_t sis__lock_place(const void *lock)
{
	return sis_hash_top((uintptr_t)lock >> 2, 9);
}
static inline uint64_t sis__lock_owned_by(const void *lock, uint32_t slot)
{
	return ((uint64_t)(uintptr_t)lock & ((UINT64_C(1) << SIS_ADDRESS_BITS) - 1)) |
	       (uint64_t)slot << SIS_ADDRESS_BITS;
}
/* Whether the thread got the lock last. If this is true before the thread takes the lock again, and
 * still true afterwards, no other thread had the lock in between, and there was no wait. Relaxed:
 * the lock itself orders this load with the notes of its owners.
 * LIMIT: if a thread that libsis.so does not see had the lock (RTLD_DEEPBIND), the wait is not
 * found. */
static inline bool sis__lock_is_own(const struct sis_thread *thread, const void *lock)
{
	return __atomic_load_n(&sis__lock_history[sis__lock_place(lock)].owner, __ATOMIC_RELAXED) ==
	       sis__lock_owned_by(lock, thread->pub.slot);
}
/* A thread that is not measured has got the lock. */
static inline void sis__lock_disown(const void *lock)
{
	uint64_t *owner = &sis__lock_history[sis__lock_place(lock)].owner;
	if (__atomic_load_n(owner, __ATOMIC_RELAXED)) /* else the line would go to and fro */
		__atomic_store_n(owner, 0, __ATOMIC_RELAXED);
}
/* When the first other thread got the lock after this thread had had it last. 0: not known. */
uint64_t sis__lock_lost_at(const struct sis_thread *thread, const void *lock);
/* The slot that owns the lock or owned it last; SIS_NO_SLOT: not known. */
uint32_t sis__lock_owner(const void *lock);
/* The thread owns the lock now, after a wait in `node` since `from`: attributes the wait to the
 * owners before, and notes the new one. `first` is a snapshot of the owner when the wait began,
 * NULL: there was none. `ordered` is NULL for locks. */
void sis__lock_acquired(struct sis_thread *thread, struct sis_node *node, const void *lock,
			uint64_t from, uint64_t now, const struct sis_snapshot *first,
			const struct sis_ordered_wait *ordered);

/* -- Locks that can be tested (lock_holders.c) ------------------------------------------------- */
/* Threads that wait for locks of the same place (sis__lock_place). */
extern uint32_t sis__lock_waiters[SIS_LOCKS];
static inline void sis__lock_await(const void *lock)
{
	__atomic_fetch_add(&sis__lock_waiters[sis__lock_place(lock)], 1, __ATOMIC_RELAXED);
}
static inline void sis__lock_await_no_more(const void *lock)
{
	__atomic_fetch_sub(&sis__lock_waiters[sis__lock_place(lock)], 1, __ATOMIC_RELAXED);
}
/* Relaxed: a waiter that is missed has only just begun, and looks for the holder itself. */
static inline bool sis__lock_is_awaited(const void *lock)
{
	return __atomic_load_n(&sis__lock_waiters[sis__lock_place(lock)], __ATOMIC_RELAXED) != 0;
}
void sis__lock_hold_more(struct sis_thread *thread, const void *lock);
void sis__lock_release_more(struct sis_thread *thread, const void *lock);
/* The thread has got the lock; is about to release it. A store into its own state. */
static inline void sis__lock_hold(struct sis_thread *thread, const void *lock)
{
	if (SIS_UNLIKELY(thread->held[0] != NULL))
		sis__lock_hold_more(thread, lock);
	else
		__atomic_store_n(&thread->held[0], lock, __ATOMIC_RELAXED);
}
static inline void sis__lock_release(struct sis_thread *thread, const void *lock)
{
	if (SIS_UNLIKELY(thread->held[0] != lock))
		sis__lock_release_more(thread, lock);
	else
		__atomic_store_n(&thread->held[0], NULL, __ATOMIC_RELAXED);
}
/* The slot that holds the lock, which the caller has just found taken; SIS_NO_SLOT: not known. */
uint32_t sis__lock_holder(const void *lock);
/* The thread has got a lock for which it has waited in `node` since `from`; as
 * sis__lock_acquired, but notes the new owner only if others wait. */
void sis__lock_waited(struct sis_thread *thread, struct sis_node *node, const void *lock,
		      uint64_t from, uint64_t now, const struct sis_snapshot *first);
/* It has got a lock for which others wait: notes it. */
void sis__lock_taken(struct sis_thread *thread, struct sis_node *node, const void *lock,
		     uint64_t now);

/* -- Rendezvous (rendezvous.c): threads wait for `object`, another one arrives there ----------- */
/* An object is a condition, a barrier, a semaphore, or the end of a thread. */
struct sis_rendezvous_waiting { uint64_t waiting; } __attribute__((aligned(64)));
#define SIS_RENDEZVOUS 512u /* as many as sis__rendezvous_place has values */
extern struct sis_rendezvous_waiting sis__rendezvous_waiting[SIS_RENDEZVOUS];
static inline uint64_t sis__rendezvous_place(const void *object)
{
	return sis_hash_top((uintptr_t)object >> 3, 9);
}
void sis__rendezvous_arrive_slow(const void *object, uint64_t place);
/* The caller arrives. One load while no thread waits. */
static inline void sis__rendezvous_arrive(const void *object)
{
	uint64_t place = sis__rendezvous_place(object);
	/* Relaxed: a waiter that is missed has only just begun to wait. */
	uint64_t waiting = __atomic_load_n(&sis__rendezvous_waiting[place].waiting,
					   __ATOMIC_RELAXED);
	if (SIS_UNLIKELY(waiting != 0))
		sis__rendezvous_arrive_slow(object, place);
}
/* Around a wait in `node` of the thread. `came`: another thread arrived. */
void sis__rendezvous_begin(const struct sis_node *node, const void *object);
void sis__rendezvous_end(struct sis_thread *thread, struct sis_node *node, const void *object,
			 bool came);

#pragma GCC visibility pop
#endif
