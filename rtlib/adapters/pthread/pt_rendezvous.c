/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_rendezvous.c - which thread ended a wait on a condition, barrier, semaphore or futex, or for
 * the end of a thread. The functions are interposed in libsis.so, and called by the program's threads.
 *
 * In C++20, atomics, barriers, latches and semaphores wait in a call of the system's futex. Each of
 * them calls it again until it has what it waits for.
 *
 * pt_wait.c has the region of the wait, and measure/wait_causes/rendezvous.c finds its cause.
 * process/thread_exit.c reports the end of a thread.
 * LIMIT: if a wait is cancelled, its object still counts a waiter. Then each thread that arrives at
 * the object writes a note that no thread reads.
 */
#include "base/system_call.h"
#include "adapters/pthread/pt_real.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#if defined __GLIBC__ && !defined __SANITIZE_THREAD__

SIS_PT_REAL(pthread_cond_wait)
SIS_PT_REAL(pthread_cond_timedwait)
SIS_PT_REAL(pthread_cond_clockwait)
SIS_PT_REAL(pthread_cond_signal)
SIS_PT_REAL(pthread_cond_broadcast)
SIS_PT_REAL(cnd_wait)
SIS_PT_REAL(cnd_timedwait)
SIS_PT_REAL(cnd_signal)
SIS_PT_REAL(cnd_broadcast)
SIS_PT_REAL(pthread_barrier_wait)
SIS_PT_REAL(pthread_join)
SIS_PT_REAL(pthread_timedjoin_np)
SIS_PT_REAL(pthread_clockjoin_np)
SIS_PT_REAL(thrd_join)
SIS_PT_REAL(sem_wait)
SIS_PT_REAL(sem_timedwait)
SIS_PT_REAL(sem_clockwait)
SIS_PT_REAL(sem_post)

#define WAIT(name, parameters, arguments, same, object, came) \
	SIS_EXPORT int name parameters \
	{ \
		struct sis_pt_rendezvous rendezvous = sis__pt_rendezvous_begin(same, object); \
		int code = real_##name() arguments; \
		sis__pt_rendezvous_end(&rendezvous, came); \
		return code; \
	}
#define COME(name, type) \
	SIS_EXPORT int name(type *object) \
	{ \
		sis__rendezvous_arrive(object); \
		return real_##name()(object); \
	}

WAIT(pthread_cond_wait, (pthread_cond_t * cond, pthread_mutex_t *mutex), (cond, mutex), CR_PTCOND,
     cond, code == 0)
WAIT(pthread_cond_timedwait,
     (pthread_cond_t * cond, pthread_mutex_t *mutex, const struct timespec *until),
     (cond, mutex, until), CR_PTCOND, cond, code == 0)
WAIT(pthread_cond_clockwait,
     (pthread_cond_t * cond, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until),
     (cond, mutex, clock, until), CR_PTCOND, cond, code == 0)
WAIT(cnd_wait, (cnd_t *cond, mtx_t *mutex), (cond, mutex), CR_PTCOND, cond, code == 0)
WAIT(cnd_timedwait, (cnd_t * cond, mtx_t *mutex, const struct timespec *until),
     (cond, mutex, until), CR_PTCOND, cond, code == 0)
COME(pthread_cond_signal, pthread_cond_t)
COME(pthread_cond_broadcast, pthread_cond_t)
COME(cnd_signal, cnd_t)
COME(cnd_broadcast, cnd_t)

WAIT(pthread_join, (pthread_t thread, void **result), (thread, result), CR_PTJOIN,
     (const void *)thread, code == 0)
WAIT(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until),
     (thread, result, until), CR_PTJOIN, (const void *)thread, code == 0)
WAIT(pthread_clockjoin_np,
     (pthread_t thread, void **result, clockid_t clock, const struct timespec *until),
     (thread, result, clock, until), CR_PTJOIN, (const void *)thread, code == 0)
WAIT(thrd_join, (thrd_t thread, int *result), (thread, result), CR_PTJOIN, (const void *)thread,
     code == 0)

/* A thread arrives at a barrier, and then waits unless it is the last one. */
SIS_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	sis__rendezvous_arrive(barrier);
	struct sis_pt_rendezvous rendezvous = sis__pt_rendezvous_begin(CR_PTCOND, barrier);
	int code = real_pthread_barrier_wait()(barrier);
	sis__pt_rendezvous_end(&rendezvous, code == 0 || code == PTHREAD_BARRIER_SERIAL_THREAD);
	return code;
}

SIS_EXPORT int sem_wait(sem_t *semaphore)
{
	pthread_testcancel();
	int saved = errno;
	bool taken = sem_trywait(semaphore) == 0;
	errno = saved;
	if (taken)
		return 0;
	struct sis_pt_rendezvous rendezvous = sis__pt_rendezvous_begin(CR_PTCOND, semaphore);
	int code = real_sem_wait()(semaphore);
	sis__pt_rendezvous_end(&rendezvous, code == 0);
	return code;
}

/* Functions with a time limit are called even if the semaphore is free, because they refuse a wrong
 * limit. */
WAIT(sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until),
     CR_PTCOND, semaphore, code == 0)
WAIT(sem_clockwait, (sem_t * semaphore, clockid_t clock, const struct timespec *until),
     (semaphore, clock, until), CR_PTCOND, semaphore, code == 0)
COME(sem_post, sem_t)

#endif

long sis__pt_futex(const long *with)
{
	const void *word = (const void *)with[0];
	long what = with[1] & FUTEX_CMD_MASK;
	if (what == FUTEX_WAKE || what == FUTEX_WAKE_BITSET)
		sis__rendezvous_arrive(word);
	struct sis_pt_rendezvous rendezvous = { 0 };
	if (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET)
		rendezvous = sis__pt_rendezvous_begin(CR_PTCOND, word);
	long result = sis__system_call(SYS_futex, with[0], with[1], with[2], with[3], with[4],
				       with[5]);
	sis__pt_rendezvous_end(&rendezvous, result == 0);
	return result;
}
