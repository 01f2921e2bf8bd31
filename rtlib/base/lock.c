/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.c - locks for the rare paths: a new chunk, a new translation unit. Any thread, never on the
 * fast path.
 *
 * The holder can neither be cancelled nor interrupted by a signal handler. But it can be gone:
 * exit() ends the other threads wherever they are. So no thread waits without a bound.
 */
#include "base/futex.h"
#include "base/lock.h"
#include "base/signal_mask.h"
#include "base/state.h"

#include <pthread.h>
#include <unistd.h>

/* A thread sanitizer in the program sees the memory that libc and the compressor access for the
 * runtime, but not this lock, which orders the accesses. These functions report the order to it. */
extern void __tsan_acquire(void *lock) __attribute__((__weak__));
extern void __tsan_release(void *lock) __attribute__((__weak__));

enum { SPINS = 50 }; /* with a system call each */

/* If the holder is another process, this is a forked child: the holder is a thread of the parent,
 * and the child has a copy of the lock but not of that thread. */
static bool take(struct sis_lock *lock)
{
	int holder = 0, self = (int)getpid();
	return __atomic_compare_exchange_n(&lock->taken, &holder, self, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED) ||
	       (holder != self && holder != 0 &&
		__atomic_compare_exchange_n(&lock->taken, &holder, self, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED));
}

bool sis__lock(struct sis_lock *lock)
{
	sigset_t all, before;
	int cancel, spins = 0;
	sigfillset(&all);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	while (!take(lock)) {
		if (++spins <= SPINS) /* most sections take a microsecond */
			continue;
		if (spins > SPINS + 1000) {
			sis__signal_mask(SIG_SETMASK, &before, NULL);
			pthread_setcancelstate(cancel, &cancel);
			return false;
		}
		sis__nap(spins < SPINS + 100 ? 1000 : 1000000);
	}
	if (__tsan_acquire)
		__tsan_acquire(lock);
	lock->cancel = cancel;
	lock->signals = before;
	return true;
}

void sis__unlock(struct sis_lock *lock)
{
	int cancel = lock->cancel;
	sigset_t signals = lock->signals;
	if (__tsan_release)
		__tsan_release(lock);
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE); /* with the acquire in take */
	sis__signal_mask(SIG_SETMASK, &signals, NULL);
	pthread_setcancelstate(cancel, &cancel);
}

void sis__guard_alone(sigset_t *before)
{
	sigset_t all;
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, before);
	sis__guard();
}

void sis__unguard_alone(const sigset_t *before)
{
	sis__unguard();
	sis__signal_mask(SIG_SETMASK, before, NULL);
}

