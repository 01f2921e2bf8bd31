/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_lock.c - which threads cause waits at mutexes, read-write locks and spin locks. The functions
 * are interposed in libsis.so, and called by the program's threads.
 *
 * libc stores the owner of a mutex, and the writer of a read-write lock, in the lock. So a thread
 * that finds the lock free notes nothing; it only reads a word that libc's function needs anyway. A
 * thread that has waited notes that it is the owner. libc does not store readers. A thread that
 * waits for readers begins a rendezvous, at which readers arrive when they unlock (rendezvous.c). A
 * thread that takes a spin lock notes this in its own state (lock_holders.c).
 * LIMIT: in libsis.a the causes of waits at these locks are not known.
 */
#include "base/slot_table.h"
#include "adapters/pthread/pt_real.h"

#include <pthread.h>
#include <threads.h>

#if defined __GLIBC__ && !defined __SANITIZE_THREAD__

SIS_PT_REAL(pthread_mutex_lock)
SIS_PT_REAL(pthread_mutex_timedlock)
SIS_PT_REAL(pthread_mutex_clocklock)
SIS_PT_REAL(mtx_lock)
SIS_PT_REAL(mtx_timedlock)
SIS_PT_REAL(pthread_rwlock_rdlock)
SIS_PT_REAL(pthread_rwlock_timedrdlock)
SIS_PT_REAL(pthread_rwlock_clockrdlock)
SIS_PT_REAL(pthread_rwlock_wrlock)
SIS_PT_REAL(pthread_rwlock_timedwrlock)
SIS_PT_REAL(pthread_rwlock_clockwrlock)
SIS_PT_REAL(pthread_rwlock_tryrdlock)
SIS_PT_REAL(pthread_rwlock_trywrlock)
SIS_PT_REAL(pthread_rwlock_unlock)
SIS_PT_REAL(pthread_spin_lock)
SIS_PT_REAL(pthread_spin_trylock)
SIS_PT_REAL(pthread_spin_unlock)

/* Other threads lock and unlock at the same time, so the value may be out of date when it is used.
 */
#define LOOK(field) (*(const volatile __typeof__(field) *)&(field))

static uint32_t slot_of(uint32_t tid)
{
	uint32_t slots = __atomic_load_n(&sis__header()->max_slots, __ATOMIC_RELAXED);
	for (uint32_t slot = 0; tid && slot < slots; slot++) {
		const struct sis_thread *thread = sis__slot(slot);
		if (thread && LOOK(thread->pub.tid) == tid && sis__slot_is_taken(slot))
			return slot;
	}
	return SIS_NO_SLOT;
}

struct hold { struct sis_thread *thread; struct sis_snapshot first; };

static void hold_begin(struct hold *hold, uint32_t tid)
{
	hold->thread = sis__pt_wait_begin(CR_PTMUTEX);
	if (hold->thread)
		hold->first = sis__snapshot(slot_of(tid));
}

static void hold_end(const struct hold *hold, const void *lock, int code)
{
	if (!hold->thread)
		return;
	struct sis_node *node = hold->thread->pub.current;
	const struct sis_snapshot *first = hold->first.slot == SIS_NO_SLOT ? NULL : &hold->first;
	if (code == 0)
		sis__lock_acquired(hold->thread, node, lock, node->start, sis__ticks(), first,
				   NULL);
	sis__pt_wait_end(hold->thread, CR_PTMUTEX);
}

/* A mutex of C11 is a mutex of pthreads. */
_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t");
#define MUTEX(name, parameters, arguments) \
	SIS_EXPORT int name parameters \
	{ \
		const pthread_mutex_t *inside = (const pthread_mutex_t *)mutex; \
		struct hold hold; \
		if (SIS_LIKELY(LOOK(inside->__data.__lock) == 0)) \
			return real_##name() arguments; \
		hold_begin(&hold, (uint32_t)LOOK(inside->__data.__owner)); \
		int code = real_##name() arguments; \
		hold_end(&hold, mutex, code); \
		return code; \
	}
MUTEX(pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
MUTEX(pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec *until),
      (mutex, until))
MUTEX(pthread_mutex_clocklock,
      (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *until),
      (mutex, clock, until))
MUTEX(mtx_lock, (mtx_t *mutex), (mutex))
MUTEX(mtx_timedlock, (mtx_t *mutex, const struct timespec *until), (mutex, until))

/* If a writer has the lock, the wait is like that for a mutex. Else the wait is a rendezvous, which
 * ends when a reader unlocks. */
struct rwlock_wait { bool for_writer; struct hold hold; struct sis_pt_rendezvous rendezvous; };

static void rwlock_wait_begin(struct rwlock_wait *wait, const pthread_rwlock_t *lock)
{
	uint32_t writer = (uint32_t)LOOK(lock->__data.__cur_writer);
	wait->for_writer = writer != 0;
	if (wait->for_writer)
		hold_begin(&wait->hold, writer);
	else
		wait->rendezvous = sis__pt_rendezvous_begin(CR_PTMUTEX, lock);
}

static void rwlock_wait_end(const struct rwlock_wait *wait, const pthread_rwlock_t *lock, int code)
{
	if (wait->for_writer)
		hold_end(&wait->hold, lock, code);
	else
		sis__pt_rendezvous_end(&wait->rendezvous, code == 0);
}

/* Functions with a time limit are called even if the lock is free, because they refuse a wrong
 * limit. */
#define RWLOCK(name, at_once, parameters, arguments) \
	SIS_EXPORT int name parameters \
	{ \
		struct rwlock_wait wait; \
		if (SIS_LIKELY(at_once)) \
			return 0; \
		rwlock_wait_begin(&wait, lock); \
		int code = real_##name() arguments; \
		rwlock_wait_end(&wait, lock, code); \
		return code; \
	}
RWLOCK(pthread_rwlock_rdlock, real_pthread_rwlock_tryrdlock()(lock) == 0, (pthread_rwlock_t * lock),
       (lock))
RWLOCK(pthread_rwlock_timedrdlock, false, (pthread_rwlock_t * lock, const struct timespec *until),
       (lock, until))
RWLOCK(pthread_rwlock_clockrdlock, false,
       (pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
       (lock, clock, until))
RWLOCK(pthread_rwlock_wrlock, real_pthread_rwlock_trywrlock()(lock) == 0, (pthread_rwlock_t * lock),
       (lock))
RWLOCK(pthread_rwlock_timedwrlock, false, (pthread_rwlock_t * lock, const struct timespec *until),
       (lock, until))
RWLOCK(pthread_rwlock_clockwrlock, false,
       (pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
       (lock, clock, until))

SIS_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	sis__rendezvous_arrive(lock);
	return real_pthread_rwlock_unlock()(lock);
}

/* -- spin locks -------------------------------------------------------------------------------- */

/* Notes that the thread has the lock, after no wait, or after a wait that is no region of the
 * source.
 */
static void spin_taken(const void *lock)
{
	struct sis_thread *thread = sis__pt_thread();
	if (!thread)
		return;
	sis__lock_hold(thread, lock);
	if (SIS_UNLIKELY(sis__lock_is_awaited(lock)))
		sis__lock_taken(thread, thread->pub.current, lock, sis__ticks());
}

SIS_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	int code = real_pthread_spin_trylock()(lock);
	if (code == 0)
		spin_taken((const void *)lock);
	return code;
}

SIS_EXPORT int pthread_spin_lock(pthread_spinlock_t *spin)
{
	const void *lock = (const void *)spin;
	if (SIS_LIKELY(pthread_spin_trylock(spin) == 0))
		return 0;
	struct sis_thread *thread = sis__pt_wait_begin(CR_PTMUTEX);
	if (!thread) {
		int code = real_pthread_spin_lock()(spin);
		spin_taken(lock);
		return code;
	}
	struct sis_node *node = thread->pub.current;
	sis__lock_await(lock);
	struct sis_snapshot first = sis__snapshot(sis__lock_holder(lock));
	int code = real_pthread_spin_lock()(spin);
	sis__lock_await_no_more(lock);
	sis__lock_hold(thread, lock);
	sis__lock_waited(thread, node, lock, node->start, sis__ticks(),
			 first.slot == SIS_NO_SLOT ? NULL : &first);
	sis__pt_wait_end(thread, CR_PTMUTEX);
	return code;
}

SIS_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	if (SIS_LIKELY(sis__local.own != NULL))
		sis__lock_release(sis__local.own, (const void *)lock);
	return real_pthread_spin_unlock()(lock);
}

#endif
