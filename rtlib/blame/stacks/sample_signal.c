/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_signal.c - chooses the signal of the samples, handles it, and chooses another one if the
 * program wants it. Called by the thread that opens the profile, and by threads that change signals
 * (adapters/libc/signals.c).
 *
 * The signal is a real-time signal that has the default action and that no thread can have blocked.
 * The highest such number is chosen, because programs count from the lowest one up. If the program
 * sets an action for the signal, another one is chosen, and the program's action is set as if the
 * runtime had not been there. If a program blocks all signals, this signal stays unblocked. So
 * sigwait and signalfd never see it.
 * LIMIT: pthread_sigmask and sigprocmask report this signal as not blocked.
 * LIMIT: if the program sets an action for the signal by a system call of its own, the samples end.
 * If it sets the default action, the process ends.
 */
#include "base/futex.h"
#include "base/signal_action.h"
#include "base/signal_mask.h"
#include "base/state.h"
#include "blame/stacks/sample_signal.h"
#include "blame/stacks/sampled_thread.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 24 }; /* a set with this many signals is meant to be all signals */

static int chosen;                /* 0: none */
static int avoided = NSIG;        /* signals from this number on are not used any more */
static struct sigaction replaced; /* the action of `chosen` before */
static sis_sample_question *asked; /* NULL: nobody asks */
static sigset_t inherited;        /* signals that were blocked when the program began */

void sis__sample_signal_start(void)
{
	sis__signal_mask(SIG_BLOCK, NULL, &inherited);
}

static void handle(int number, siginfo_t *info, void *context)
{
	int saved = errno, handle;
	uint64_t periods;
	if (asked && asked(info)) {
		; /* the signal is no sample */
	} else if (sis__source_sent(info, &handle, &periods)) {
		sis__sampled_take(handle, periods, context);
	} else {
		/* The signal was sent by another process, or by the program itself, which expects
		 * the default action. */
		sigset_t set;
		struct sigaction action = { .sa_handler = SIG_DFL };
		sigemptyset(&action.sa_mask);
		sigemptyset(&set);
		sigaddset(&set, number);
		__sigaction(number, &action, NULL);
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
		sis__signal_mask(SIG_UNBLOCK, &set, NULL);
	}
	errno = saved;
}

static bool is_own(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

void sis__sample_signal_ask(sis_sample_question *first)
{
	asked = first;
}

static int take_free_signal(void)
{
	struct sigaction action = { .sa_sigaction = handle,
				    .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
	sigfillset(&action.sa_mask); /* or a handler of the program might jump out of this one */
	for (int number = SIGRTMAX - 1; number >= SIGRTMIN; number--) {
		struct sigaction now;
		if (number >= avoided || sigismember(&inherited, number) == 1 ||
		    __sigaction(number, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
			continue;
		replaced = now;
		chosen = __sigaction(number, &action, NULL) == 0 ? number : 0;
		return chosen;
	}
	return chosen = 0;
}

int sis__sample_signal_take(void)
{
	return chosen ? chosen : take_free_signal();
}

void sis__sample_signal_drain(void)
{
	sigset_t set, before;
	const struct timespec none = { 0, 0 };
	if (!chosen)
		return;
	sigemptyset(&set);
	sigaddset(&set, chosen);
	if (sis__signal_mask(SIG_BLOCK, &set, &before) != 0)
		return;
	syscall(SYS_rt_sigtimedwait, &set, NULL, &none, _NSIG / 8);
	sis__signal_mask(SIG_SETMASK, &before, NULL);
}

void sis__sample_signal_release(void)
{
	struct sigaction now;
	if (chosen && __sigaction(chosen, NULL, &now) == 0 && is_own(&now))
		__sigaction(chosen, &replaced, NULL);
	chosen = 0;
	avoided = NSIG;
}

/* Signals with the old number may be pending. These signals still reach the handler, because a
 * thread handles its signal as soon as it executes the program's code. */
void sis__sample_signal_wanted(int number)
{
	if (number == 0 || number != chosen || sis__is_confined())
		return;
	const struct sigaction before = replaced;
	avoided = number;
	int other = take_free_signal();
	if (other)
		sis__sampled_signal(other);
	else
		sis__sampled_end();
	sis__nap(1000000);
	__sigaction(number, &before, NULL);
}

void sis__sample_signal_hide(int number, struct sigaction *action)
{
	if (number == chosen && number && is_own(action))
		*action = replaced;
}

void sis__sample_signal_unblocked(sigset_t *set)
{
	int signals = 0;
	if (!chosen || sigismember(set, chosen) != 1 || sis__is_confined())
		return;
	for (int number = 1; number < NSIG; number++)
		signals += sigismember(set, number) == 1;
	if (signals < MANY)
		sis__sample_signal_wanted(chosen);
	else
		sigdelset(set, chosen);
}
