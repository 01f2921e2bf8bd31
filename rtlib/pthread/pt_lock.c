/* pt_lock.c - for whom threads wait at mutexes and read-write locks. Interposed in libsis.so; the program's threads.
 *
 * The wait itself is the source's region around the call. libc keeps the owner of a mutex, so that nothing has to be noted
 * by who finds it free: that costs a look at a word which the call needs anyway. Who has waited notes its turn.
 * LIMIT: who holds a read-write lock for reading, and who a spin lock, is not known; nor in libsis.a, who any.
 */
#include "pthread/pt_real.h"

#include <pthread.h>

#if defined __GLIBC__ && !defined __SANITIZE_THREAD__

SIS_PT_REAL(pthread_mutex_lock)
SIS_PT_REAL(pthread_mutex_timedlock)
SIS_PT_REAL(pthread_rwlock_rdlock)
SIS_PT_REAL(pthread_rwlock_wrlock)

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

#define RWLOCK(name) \
	SIS_EXPORT int name(pthread_rwlock_t *lock) \
	{ \
		struct hold hold; \
		if (SIS_LIKELY(LOOK(lock->__data.__cur_writer) == 0)) \
			return real_##name()(lock); \
		hold_begin(&hold, (uint32_t)LOOK(lock->__data.__cur_writer)); \
		int code = real_##name()(lock); \
		hold_end(&hold, lock, code); \
		return code; \
	}
RWLOCK(pthread_rwlock_rdlock)
RWLOCK(pthread_rwlock_wrlock)

#endif
