/* SPDX-License-Identifier: BSD-3-Clause */
/* exit_race.c - several threads end the process at once. Any thread that is in exit(), or that ends
 * the process in another way meanwhile.
 *
 * libc gives each exit handler to one thread. A thread that finds no handler left ends the process,
 * wherever the others are:
 *
 *     thread 0   exit | handlers | destructors ... seals the fi
 *     thread 1         exit | nothing is left to be done: _exit ^
 *
 * So one thread seals the file, and the others wait until that is done. They come here because
 * handlers were registered before all others (libc/start.c), which therefore run last: a thread
 * that gets one has found no other handler. If no thread has begun to seal the file by then,
 * because the first one is still in a destructor of the program, this thread does it: there is no
 * later moment. Each handler registers itself twice again, so that every further thread that exits
 * finds one (sis__ending_last, process.c).
 * LIMIT: a program that is not linked with libsis, and opens a library that is, has no such
 * handlers.
 */
#include "base/futex.h"
#include "process/exit_race.h"

#include <pthread.h>
#include <signal.h>

enum { NOBODY, SAYING, SAID };
static uint32_t word = NOBODY; /* what has become of the last one */
static __thread bool mine;     /* this thread is at it */
static sigset_t signals;       /* of the thread that is at it, before */

/* A handler would keep the last word from being said if it ends the process itself. Who wants to
 * end it by a signal may: all were held until it was known which have handlers. */
static void hold_handlers(void)
{
	sigset_t held = signals;
	struct sigaction action;
	for (int signal = 1; signal < NSIG; signal++)
		if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&held, signal);
	pthread_sigmask(SIG_SETMASK, &held, NULL);
}

bool sis__ending_begin(void)
{
	uint32_t nobody = NOBODY;
	sigset_t all, before;
	int cancel;
	/* before it is this thread's: in a handler that calls exit then, libc would find nobody to
	 * wait for */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (!__atomic_compare_exchange_n(&word, &nobody, SAYING, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE)) {
		pthread_setcancelstate(cancel, &cancel);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		return false;
	}
	mine = true; /* and not to be cancelled any more: the thread is to end the process */
	signals = before;
	hold_handlers();
	return true;
}

void sis__ending_done(void)
{
	mine = false;
	__atomic_store_n(&word, SAID, __ATOMIC_RELEASE); /* with the acquire in sis__ending_wait */
	sis__futex_wake(&word);
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
}

bool sis__ending_is_over(void)
{
	return __atomic_load_n(&word, __ATOMIC_RELAXED) == SAID;
}

/* Not for ever: if something holds up who is at it, the process is to end all the same. */
void sis__ending_wait(void)
{
	enum { TIMES = 600, NS = 100000000 };
	for (int i = 0; !mine && __atomic_load_n(&word, __ATOMIC_ACQUIRE) == SAYING; i++)
		if (i < TIMES)
			sis__futex_wait(&word, SAYING, NS);
		else
			__atomic_store_n(&word, SAID, __ATOMIC_RELAXED);
}

void sis__ending_new_process(void)
{
	mine = false;
	word = NOBODY;
}

bool sis__ending_is_mine(void)
{
	return mine;
}
