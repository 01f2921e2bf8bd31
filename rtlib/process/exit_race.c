/* SPDX-License-Identifier: BSD-3-Clause */
/* exit_race.c - lets one thread seal the profile if several threads end the process at once. Called
 * by any thread that is in exit(), or that ends the process in another way meanwhile.
 *
 * libc gives each exit handler to one thread. A thread that finds no handler left ends the process,
 * even if other threads are still in handlers:
 *
 *     thread 0   exit | handlers | destructors ... seals the fi
 *     thread 1         exit | nothing is left to be done: _exit ^
 *
 * So one thread seals the file, and the others wait until it is sealed. They wait in exit handlers
 * that adapters/libc/start.c registers before all other handlers (sis__ending_last, process.c).
 * Handlers run in reverse order, so a thread that gets one of these handlers has found no other
 * one. If the first thread is still in a destructor of the program, no thread has begun to seal the
 * file by then. Then the thread in the handler seals the file, because there is no later moment.
 * Each of these handlers registers itself twice again, so that every further thread that exits
 * finds one.
 * LIMIT: if a program that is not linked with libsis opens a library that is, there are no such
 * handlers.
 */
#include "base/signal_action.h"
#include "base/signal_mask.h"
#include "base/futex.h"
#include "process/exit_race.h"

#include <pthread.h>
#include <signal.h>

enum { OPEN, SEALING, SEALED };
static uint32_t progress = OPEN;
static __thread bool mine;     /* this thread seals the file */
static sigset_t signals;       /* the signal mask that the sealing thread had before */

bool sis__ending_begin(void)
{
	uint32_t open = OPEN;
	sigset_t all, before;
	int cancel;
	/* Signals are blocked before `progress` changes, because a handler that calls exit after
	 * the change would wait for its own thread. */
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (!__atomic_compare_exchange_n(&progress, &open, SEALING, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE)) {
		pthread_setcancelstate(cancel, &cancel);
		sis__signal_mask(SIG_SETMASK, &before, NULL);
		return false;
	}
	mine = true; /* cancellation stays disabled: the thread ends the process */
	signals = before;
	/* From now on only signals with handlers are blocked, because a handler that ends the
	 * process would leave the file unsealed. Signals without a handler may end the process. */
	struct sigaction action;
	for (int signal = 1; signal < NSIG; signal++)
		if (__sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&before, signal);
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	return true;
}

void sis__ending_done(void)
{
	mine = false;
	/* pairs with the acquire in sis__ending_wait */
	__atomic_store_n(&progress, SEALED, __ATOMIC_RELEASE);
	sis__futex_wake(&progress);
	sis__signal_mask(SIG_SETMASK, &signals, NULL);
}

bool sis__ending_is_over(void)
{
	return __atomic_load_n(&progress, __ATOMIC_RELAXED) == SEALED;
}

/* The wait has a limit, because the process must end even if something blocks the thread that
 * seals. */
void sis__ending_wait(void)
{
	enum { TIMES = 600, NS = 100000000 };
	for (int i = 0; !mine && __atomic_load_n(&progress, __ATOMIC_ACQUIRE) == SEALING; i++)
		if (i < TIMES)
			sis__futex_wait(&progress, SEALING, NS);
		else
			__atomic_store_n(&progress, SEALED, __ATOMIC_RELAXED);
}

void sis__ending_new_process(void)
{
	mine = false;
	progress = OPEN;
}

bool sis__ending_is_mine(void)
{
	return mine;
}
