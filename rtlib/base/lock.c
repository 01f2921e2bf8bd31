/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.c - locks for the slow paths: a new chunk, a new translation unit. Called by any thread,
 * never on the fast path.
 *
 * The holder of a lock cannot be cancelled, and no signal handler interrupts it. But exit() in
 * another thread may end the holder anywhere; then the lock stays taken. So all waits for a lock
 * are bounded.
 */
#include "base/futex.h"
#include "base/lock.h"
#include "base/signal_mask.h"
#include "base/state.h"

#include <pthread.h>
#include <unistd.h>

/* A thread sanitizer in the program sees the accesses that libc and the compressor make for the
 * runtime. The sanitizer does not see this lock, which orders the accesses. These functions tell
 * the sanitizer about the order. */
extern void __tsan_acquire(void *lock) __attribute__((__weak__));
extern void __tsan_release(void *lock) __attribute__((__weak__));

enum { SPINS = 50 }; /* each makes a system call */

/* If the holder is in another process, this process is a forked child: it has a copy of the lock,
 * but not of the parent's thread that holds it. */
static bool try_lock(struct sis_lock *lock)
{
	int holder = 0, self = (int)getpid();
	return __atomic_compare_exchange_n(&lock->taken, &holder, self, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED) ||
	       (holder != self && holder != 0 &&
		__atomic_compare_exchange_n(&lock->taken, &holder, self, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED));
}

/* -- signals ----------------------------------------------------------------------------------- */

/* The number of threads that have blocked their signals here, and still have to unblock them by a
 * system call. */
static unsigned sections;

/* A confined thread blocks no signals, and notes this in a part of the set that the kernel ignores.
 */
enum { MARK = sizeof(sigset_t) / sizeof ((sigset_t *)0)->__val[0] - 1 };

static void block_signals(sigset_t *before)
{
	sigset_t all;
	before->__val[MARK] = 0;
	/* pairs with sis__sections_wait: that function sees this section, or this thread sees that
	 * it is confined itself */
	__atomic_fetch_add(&sections, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&sis__confined, __ATOMIC_SEQ_CST) && sis__thread_is_confined()) {
		__atomic_fetch_sub(&sections, 1, __ATOMIC_RELEASE);
		before->__val[MARK] = 1;
		return;
	}
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, before);
}

static void unblock_signals(const sigset_t *before)
{
	if (SIS_UNLIKELY(before->__val[MARK] != 0))
		return;
	sis__signal_mask(SIG_SETMASK, before, NULL);
	__atomic_fetch_sub(&sections, 1, __ATOMIC_RELEASE); /* pairs with sis__sections_wait */
}

void sis__sections_wait(void)
{
	enum { TIMES = 100 };
	for (int i = 0; i < TIMES && __atomic_load_n(&sections, __ATOMIC_SEQ_CST) != 0; i++)
		sis__futex_wait(&sections, sections, 1000000);
}

/* A forked child does not have the threads that are in sections. */
void sis__sections_new_process(void)
{
	sections = 0;
}

/* -- locks ------------------------------------------------------------------------------------- */

bool sis__lock(struct sis_lock *lock)
{
	sigset_t before;
	int cancel, spins = 0;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	block_signals(&before);
	while (!try_lock(lock)) {
		if (++spins <= SPINS) /* most sections take a microsecond */
			continue;
		/* a confined thread does not block signals, so this may be a signal handler that
		 * interrupted the holder */
		if (spins > SPINS + 1000 ||
		    __atomic_load_n(&lock->holder, __ATOMIC_RELAXED) == &sis__local) {
			unblock_signals(&before);
			pthread_setcancelstate(cancel, &cancel);
			return false;
		}
		sis__nap(spins < SPINS + 100 ? 1000 : 1000000);
	}
	if (__tsan_acquire)
		__tsan_acquire(lock);
	lock->cancel = cancel;
	lock->signals = before;
	__atomic_store_n(&lock->holder, sis__is_confined() ? &sis__local : NULL, __ATOMIC_RELAXED);
	return true;
}

void sis__unlock(struct sis_lock *lock)
{
	int cancel = lock->cancel;
	sigset_t signals = lock->signals;
	if (__tsan_release)
		__tsan_release(lock);
	__atomic_store_n(&lock->holder, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE); /* pairs with try_lock's acquire */
	unblock_signals(&signals);
	pthread_setcancelstate(cancel, &cancel);
}

void sis__guard_alone(sigset_t *before)
{
	block_signals(before);
	sis__guard();
}

void sis__unguard_alone(const sigset_t *before)
{
	sis__unguard();
	unblock_signals(before);
}
