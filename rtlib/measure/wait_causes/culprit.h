/* SPDX-License-Identifier: BSD-3-Clause */
/* culprit.h - why threads of a process wait for each other. adapters/omp/, adapters/ompt/ and
 * adapters/pthread/ call this.
 *
 *   culprit.c         adds up waits by node of the victim, slot of the culprit, and node of the
 *                     culprit
 *   recent_region.c   in which node a thread has spent its time since a given moment
 *   interval.c        where the members of a team were between two barriers (interval.h)
 *   lock_history.c    which slots owned a lock, and since when
 *   lock_holders.c    which slot holds a lock, for locks without a history
 *   rendezvous.c      which slot ended a wait on a condition, barrier, semaphore or join
 *
 * This work is done only for waits that were long (sis__wait_short), or may become long. For a free
 * lock, or a task for which no thread waits, only the owner is noted. These functions take no lock.
 * They allocate memory only for a thread's first wait of a kind. `thread` is the calling thread's
 * state. It is never NULL, because these functions are called only while measurement is on.
 */
#ifndef SIS_CULPRIT_H
#define SIS_CULPRIT_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* The ticks of 20 us. Shorter waits are ignored, because waking up a thread may take so long. */
uint64_t sis__wait_short(void);

/* Where a thread was: in `node` or, if SIS_CULPRIT_INSIDE is set, also in nodes below it. */
struct sis_where {
	struct sis_node *node;
	unsigned flags; /* enum sis_culprit_flag */
};

/* Adds `ticks` of the thread's wait in `node`. Slot `slot` caused them, and was in `where`
 * meanwhile. */
void sis__culprit(struct sis_thread *thread, struct sis_node *node, uint32_t slot,
		  struct sis_where where, uint64_t ticks);
bool sis__culprits_have_room(const struct sis_thread *thread);
void sis__culprits_restart(struct sis_thread *thread); /* in a forked child: there are no sums */

/* -- Where a thread was (recent_region.c) ------------------------------------------------------ */
/* Returns where the calling thread spent most of the time after `since`, computed from its tree.
 * The answer is an estimate unless, at each level of the tree, one activation took nine tenths of
 * the time. */
struct sis_where sis__recent_region(const struct sis_thread *thread, uint64_t since, uint64_t now);

/* Returns this for another thread, which was in `node` or below it from `from` to `to`. */
struct sis_where sis__region_between(uint32_t slot, struct sis_node *node, uint64_t from,
				     uint64_t to);

/* The state of another thread at a moment, read from outside. */
struct sis_snapshot {
	uint32_t slot; /* SIS_NO_SLOT: there is no such thread */
	struct sis_node *node;
	uint64_t calls, total, start;
};
struct sis_snapshot sis__snapshot(uint32_t slot);
/* Called at the end of a wait that began with snapshot `first`. Returns where the thread of the
 * snapshot was during the wait. */
struct sis_where sis__snapshot_compare(const struct sis_snapshot *first, uint64_t from,
				       uint64_t now);

/* -- Owners of locks (lock_history.c): `lock` is any object that one thread at a time owns ----- */
struct sis_ordered_wait { /* for an ordered construct; its owners have a fixed order */
	uint64_t start;          /* ticks: when the thread began to wait */
	struct sis_where before; /* where the thread was until then, if it came late */
};
/* The last owners of a lock. `owner` is the lock's address and, in the upper bits, the slot of the
 * thread. 0: there is no owner yet, or the owner is not measured. Two locks may have the same place
 * in the table, and their owners may write to it at once. So all fields are relaxed atomics. The
 * struct is small, because its cache lines move between the threads that compete for a lock. */
#define SIS_LOCK_OWNERS 6u
struct sis_lock_history {
	uint64_t owner; /* the last owner, if it is measured */
	uint64_t count; /* the last noted ownership is ownership[count % SIS_LOCK_OWNERS] */
	struct sis_lock_ownership {
		uint64_t owner, since; /* ticks: when the owner got the lock */
		uintptr_t node;        /* the owner's node; lock_history.c uses the lowest bit */
	} ownership[SIS_LOCK_OWNERS];
} __attribute__((aligned(64)));
#define SIS_LOCKS 512u /* number of values of sis__lock_place */
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
/* Whether the thread was the last to get the lock. If this is true before the thread takes the lock
 * again, and still true afterwards, no other thread had the lock in between, and there was no wait.
 * The load is relaxed, because the lock itself orders it with the notes of its owners.
 * LIMIT: if a thread that libsis.so does not see had the lock (RTLD_DEEPBIND), the wait is not
 * found. */
static inline bool sis__lock_is_own(const struct sis_thread *thread, const void *lock)
{
	return __atomic_load_n(&sis__lock_history[sis__lock_place(lock)].owner, __ATOMIC_RELAXED) ==
	       sis__lock_owned_by(lock, thread->pub.slot);
}
/* Called when a thread that is not measured has got the lock. */
static inline void sis__lock_disown(const void *lock)
{
	uint64_t *owner = &sis__lock_history[sis__lock_place(lock)].owner;
	if (__atomic_load_n(owner, __ATOMIC_RELAXED)) /* a store would take the cache line */
		__atomic_store_n(owner, 0, __ATOMIC_RELAXED);
}
/* Returns when another thread first got the lock after this thread's last ownership. 0: not
 * known. */
uint64_t sis__lock_lost_at(const struct sis_thread *thread, const void *lock);
/* Returns the slot that owns the lock or owned it last; SIS_NO_SLOT: not known. */
uint32_t sis__lock_owner(const void *lock);
/* The thread owns the lock now, after a wait in `node` since `from`. Attributes the wait to the
 * earlier owners, and notes the new owner. `first` is a snapshot of the owner at the begin of the
 * wait; NULL: there was no owner. `ordered` is the wait at an ordered construct; NULL: `lock` is an
 * ordinary lock. */
void sis__lock_acquired(struct sis_thread *thread, struct sis_node *node, const void *lock,
			uint64_t from, uint64_t now, const struct sis_snapshot *first,
			const struct sis_ordered_wait *ordered);

/* -- Locks that can be tested (lock_holders.c) ------------------------------------------------- */
/* How many threads wait for the locks of each place (sis__lock_place). */
extern uint32_t sis__lock_waiters[SIS_LOCKS];
static inline void sis__lock_await(const void *lock)
{
	__atomic_fetch_add(&sis__lock_waiters[sis__lock_place(lock)], 1, __ATOMIC_RELAXED);
}
static inline void sis__lock_await_no_more(const void *lock)
{
	__atomic_fetch_sub(&sis__lock_waiters[sis__lock_place(lock)], 1, __ATOMIC_RELAXED);
}
/* The load is relaxed: if it misses a waiting thread, this thread has only just begun to wait, and
 * looks for the holder itself. */
static inline bool sis__lock_is_awaited(const void *lock)
{
	return __atomic_load_n(&sis__lock_waiters[sis__lock_place(lock)], __ATOMIC_RELAXED) != 0;
}
void sis__lock_hold_more(struct sis_thread *thread, const void *lock);
void sis__lock_release_more(struct sis_thread *thread, const void *lock);
/* Called when the thread has got the lock, and when it is about to release it. Both store only into
 * the thread's own state. */
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
/* Returns the slot that holds the lock. The caller has just found the lock taken. SIS_NO_SLOT: the
 * holder is not known. */
uint32_t sis__lock_holder(const void *lock);
/* The thread has got a lock for which it has waited in `node` since `from`. Does the same as
 * sis__lock_acquired, but notes the new owner only if other threads wait. */
void sis__lock_waited(struct sis_thread *thread, struct sis_node *node, const void *lock,
		      uint64_t from, uint64_t now, const struct sis_snapshot *first);
/* The thread has got a lock for which others wait: notes it as the owner. */
void sis__lock_taken(struct sis_thread *thread, struct sis_node *node, const void *lock,
		     uint64_t now);

/* -- Rendezvous (rendezvous.c): threads wait for `object`, another one arrives there ----------- */
/* An object is a condition, a barrier, a semaphore, or the end of a thread. */
struct sis_rendezvous_waiting { uint64_t waiting; } __attribute__((aligned(64)));
#define SIS_RENDEZVOUS 512u /* number of values of sis__rendezvous_place */
extern struct sis_rendezvous_waiting sis__rendezvous_waiting[SIS_RENDEZVOUS];
static inline uint64_t sis__rendezvous_place(const void *object)
{
	return sis_hash_top((uintptr_t)object >> 3, 9);
}
void sis__rendezvous_arrive_slow(const void *object, uint64_t place);
/* The calling thread arrives. This costs one load if no thread waits. */
static inline void sis__rendezvous_arrive(const void *object)
{
	uint64_t place = sis__rendezvous_place(object);
	/* Relaxed: if the load misses a waiting thread, this thread has only just begun to wait. */
	uint64_t waiting = __atomic_load_n(&sis__rendezvous_waiting[place].waiting,
					   __ATOMIC_RELAXED);
	if (SIS_UNLIKELY(waiting != 0))
		sis__rendezvous_arrive_slow(object, place);
}
/* Called before and after a wait of the thread in `node`. `came` is false if the wait ended without
 * the arrival of another thread. */
void sis__rendezvous_begin(const struct sis_node *node, const void *object);
void sis__rendezvous_end(struct sis_thread *thread, struct sis_node *node, const void *object,
			 bool came);

#pragma GCC visibility pop
#endif
