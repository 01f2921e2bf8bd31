/* SPDX-License-Identifier: BSD-3-Clause */
/* fatal_signal.c - the handler for signals of a crash, which notes the signal in the profile.
 * Called in any thread.
 *
 * The handler restores the action that it replaced, and returns to the instruction that failed.
 * This instruction fails again, and the process ends as it would have without the runtime: with the
 * same signal and the same core file, or in the handler of a library, such as that of UCX. A signal
 * that was sent (abort, kill) is sent again, because no instruction repeats it.
 *
 * Signals by which others end a process (SIGTERM, SIGINT) are not caught: a program may test
 * whether they have their default action, and a blocked system call would end with EINTR.
 * If the program asks for the action of a signal that is caught, it gets the action that this
 * handler has replaced (adapters/libc/signals.c).
 * LIMIT: if the program installs a handler of its own, it replaces this handler, and a crash is not
 * noted.
 */
#include "base/signal_action.h"
#include "process/fatal_signal.h"
#include "process/process.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction replaced[SIGNALS]; /* written before the handler is installed */

/* The replaced action of a signal; NULL: it has no handler of the runtime. */
static const struct sigaction *replaced_by(int number)
{
	for (int i = 0; i < SIGNALS; i++)
		if (signals[i] == number)
			return &replaced[i];
	return NULL;
}

static void note(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	(void)context;
	__sigaction(number, replaced_by(number), NULL);
	sis__process_state(SIS_STATE_SIGNAL, number);
	if (info->si_code <= 0) /* sent, so pending until the handler returns */
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
	errno = saved;
}

static bool is_own(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == note;
}

SIS_EXPORT int sis__sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int result = __sigaction(number, action, before);
	if (result == 0 && before && is_own(before))
		*before = *replaced_by(number);
	return result;
}

SIS_EXPORT sis_handler *sis__handler_replaced(int number, sis_handler *before)
{
	const struct sigaction own = { .sa_sigaction = note };
	return before == own.sa_handler ? replaced_by(number)->sa_handler : before;
}

/* Ignored signals get no handler, because they do not end the process. */
SIS_EXPORT void sis__fatal_signals_catch(void)
{
	struct sigaction action = { .sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct sigaction now;
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < SIGNALS; i++) {
		if (__sigaction(signals[i], NULL, &now) != 0 || is_own(&now) ||
		    now.sa_handler == SIG_IGN)
			continue;
		replaced[i] = now;
		__sigaction(signals[i], &action, NULL);
	}
}

SIS_EXPORT bool sis__fatal_signals_release(void)
{
	struct sigaction now;
	bool any = false;
	for (int i = 0; i < SIGNALS; i++)
		if (__sigaction(signals[i], NULL, &now) == 0 && is_own(&now)) {
			__sigaction(signals[i], &replaced[i], NULL);
			any = true;
		}
	return any;
}
