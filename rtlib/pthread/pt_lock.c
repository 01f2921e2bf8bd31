/* pt_lock.c - for whom threads wait at mutexes and read-write locks. Interposed in libsis.so; the program's threads.
 *
 * The wait itself is the source's region around the call. libc keeps the owner of a mutex and the writer of a read-write lock, so
 * that nothing has to be noted by who finds it free: that costs a look at a word which the call needs anyway. Who has
 * waited notes its turn. Readers are known to nobody: a writer that waits for them says so, and they tell when they let go
 * (meet.c). Of a spin lock each that gets it notes that.
 * LIMIT: in libsis.a it is not known for whom threads wait at any of them.
 */
#include "pthread/pt_real.h"

#include <pthread.h>

#if defined __GLIBC__ && !defined __SANITIZE_THREAD__

SIS_PT_REAL(pthread_mutex_lock)
SIS_PT_REAL(pthread_mutex_timedlock)
SIS_PT_REAL(pthread_rwlock_rdlock)
SIS_PT_REAL(pthread_rwlock_wrlock)
SIS_PT_REAL(pthread_rwlock_tryrdlock)
SIS_PT_REAL(pthread_rwlock_trywrlock)
SIS_PT_REAL(pthread_rwlock_unlock)
SIS_PT_REAL(pthread_spin_lock)
SIS_PT_REAL(pthread_spin_trylock)

/* Racing with who locks and unlocks: what is read was so a moment ago. */
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

struct hold { struct sis_thread *thread; struct sis_glance first; };

static void hold_begin(struct hold *hold, uint32_t tid)
{
	hold->thread = sis__pt_waiter(CR_PTMUTEX);
	if (hold->thread)
		hold->first = sis__glance(slot_of(tid));
}

static void hold_end(struct hold *hold, const void *lock, int code)
{
	if (!hold->thread || code != 0)
		return;
	struct sis_node *node = hold->thread->pub.current;
	const struct sis_glance *first = hold->first.slot == SIS_NO_SLOT ? NULL : &hold->first;
	sis__turn_take(hold->thread, node, lock, node->start, sis__ticks(), first, NULL);
}

#define MUTEX(name, parameters, arguments) \
	SIS_EXPORT int name parameters \
	{ \
		struct hold hold; \
		if (SIS_LIKELY(LOOK(mutex->__data.__lock) == 0)) \
			return real_##name() arguments; \
		hold_begin(&hold, (uint32_t)LOOK(mutex->__data.__owner)); \
		int code = real_##name() arguments; \
		hold_end(&hold, mutex, code); \
		return code; \
	}
MUTEX(pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
MUTEX(pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *until), (mutex, until))

/* One that a writer has is waited for like a mutex, others until somebody lets go of them. */
static int rwlock_wait(pthread_rwlock_t *lock, int (*wait)(pthread_rwlock_t *))
{
	struct hold hold;
	uint32_t writer = (uint32_t)LOOK(lock->__data.__cur_writer);
	if (!writer) {
		struct sis_pt_meeting meeting = sis__pt_meeting_begin(CR_PTMUTEX, lock);
		int code = wait(lock);
		sis__pt_meeting_end(&meeting, code == 0);
		return code;
	}
	hold_begin(&hold, writer);
	int code = wait(lock);
	hold_end(&hold, lock, code);
	return code;
}

#define RWLOCK(name, try) \
	SIS_EXPORT int name(pthread_rwlock_t *lock) \
	{ \
		return SIS_LIKELY(real_##try()(lock) == 0) ? 0 : rwlock_wait(lock, real_##name()); \
	}
RWLOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock)
RWLOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock)

SIS_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	sis__meet_tell(lock);
	return real_pthread_rwlock_unlock()(lock);
}

/* -- spin locks ----------------------------------------------------------------------------------------------- */

/* Without a wait, or without a region of the source that is one. */
static void spin_taken(const void *lock)
{
	struct sis_thread *thread = sis__pt_thread();
	if (!thread)
		return;
	struct sis_node *node = sis__pt_waiter(CR_PTMUTEX) ? thread->pub.current : NULL;
	uint64_t at = node ? node->start : sis__ticks();
	sis__turn_take(thread, node, lock, at, at, NULL, NULL);
}

SIS_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	int code = real_pthread_spin_trylock()(lock);
	if (code == 0)
		spin_taken((const void *)lock);
	return code;
}

SIS_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
	if (SIS_LIKELY(pthread_spin_trylock(lock) == 0))
		return 0;
	struct hold hold = { .thread = sis__pt_waiter(CR_PTMUTEX) };
	if (hold.thread)
		hold.first = sis__glance(sis__turn_holder((const void *)lock));
	int code = real_pthread_spin_lock()(lock);
	if (hold.thread)
		hold_end(&hold, (const void *)lock, code);
	else
		spin_taken((const void *)lock);
	return code;
}

#endif
