/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_signal.c - chooses the signal of the samples, handles it, and gives way to the program.
 * The thread that opens the profile; any thread that changes signals (libc/signals.c).
 *
 * It is a real-time signal with the default action that no thread can have blocked for itself, from
 * the highest number down: programs count from the lowest one up. If the program sets an action for
 * it, another one is taken, and the program's is set as if nothing had been there. A program that
 * blocks all signals does not mean this one: it stays unblocked, so that sigwait and signalfd never
 * see it.
 * LIMIT: pthread_sigmask and sigprocmask report this signal as not blocked.
 * LIMIT: sigaction by a system call of the program's own ends the samples, or the process if it
 * sets the default action.
 */
#include "base/futex.h"
#include "base/signal_action.h"
#include "base/signal_mask.h"
#include "base/state.h"
#include "stacks/sample_signal.h"
#include "stacks/sampled_thread.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 24 }; /* a set of so many signals is meant to be all of them */

static int chosen;                /* 0: none */
static int avoided = NSIG;        /* signals from it on have been given up */
static struct sigaction replaced; /* the action of `chosen` before */
static sigset_t inherited;        /* blocked since the program began */

void sis__sample_signal_start(void)
{
	sis__signal_mask(SIG_BLOCK, NULL, &inherited);
}

/* Another process, or the program itself, has sent it: the default action is what it meant. */
static void send_default(int number)
{
	sigset_t set;
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigemptyset(&action.sa_mask);
	sigemptyset(&set);
	sigaddset(&set, number);
	__sigaction(number, &action, NULL);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
	sis__signal_mask(SIG_UNBLOCK, &set, NULL);
}

static void handle(int number, siginfo_t *info, void *context)
{
	int saved = errno, handle;
	uint64_t periods;
	if (sis__source_sent(info, &handle, &periods))
		sis__sampled_take(handle, periods, context);
	else
		send_default(number);
	errno = saved;
}

static bool is_own(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

int sis__sample_signal_take(void)
{
	struct sigaction action = { .sa_sigaction = handle,
				    .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
	sigfillset(&action.sa_mask); /* no handler of the program may interrupt it and jump out */
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

/* Signals of the old number that are under way reach the handler, which is still there: they are
 * handled as soon as their thread executes the program's code. */
void sis__sample_signal_wanted(int number)
{
	if (number == 0 || number != chosen || sis__is_confined())
		return;
	const struct sigaction before = replaced;
	avoided = number;
	int other = sis__sample_signal_take();
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
