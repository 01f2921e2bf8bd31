/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.c - interposes the functions that return the action of a signal. The runtime has handlers
 * for the signals of a crash (process/fatal_signal.c). The program is shown the actions that these
 * handlers replaced. Also interposes the functions that block signals, so that the signal of the
 * samples stays unblocked (blame/stacks/sample_signal.c).
 *
 * Called by any thread, in signal handlers, too. So dlsym is not called: libc has each of these
 * functions under a second name.
 *
 * LIMIT: sigset and sigvec show the runtime's handler. With the thread sanitizer all functions show
 * it, because the sanitizer calls them before instrumented code can run.
 */
#include "base/runtime.h"
#include "base/signal_mask.h"
#include "process/fatal_signal.h"
#include "blame/stacks/sample_signal.h"
#include "adapters/libc/libc_entry.h"

#include <errno.h>

#ifndef __SANITIZE_THREAD__
SIS_EXPORT int INTERPOSED(sigaction)(int number, const struct sigaction *action,
				     struct sigaction *before)
{
	if (action)
		sis__sample_signal_wanted(number);
	int result = sis__sigaction(number, action, before);
	if (result == 0 && before)
		sis__sample_signal_hide(number, before);
	return result;
}

SIS_EXPORT sis_handler *INTERPOSED(signal)(int number, sis_handler *handler)
{
	sis__sample_signal_wanted(number);
	return sis__handler_replaced(number, ssignal(number, handler));
}

SIS_EXPORT sis_handler *INTERPOSED(bsd_signal)(int number, sis_handler *handler)
{
	sis__sample_signal_wanted(number);
	return sis__handler_replaced(number, ssignal(number, handler));
}

SIS_EXPORT sis_handler *INTERPOSED(__sysv_signal)(int number, sis_handler *handler)
{
	sis__sample_signal_wanted(number);
	return sis__handler_replaced(number, sysv_signal(number, handler));
}

/* Does what libc's function does: two signals belong to libc and are not blocked. */
static int set_mask(int how, const sigset_t *set, sigset_t *before)
{
	enum { LIBCS_OWN = 2 };
	sigset_t wanted;
	if (set) {
		wanted = *set;
		for (int number = SIGRTMIN - LIBCS_OWN; number < SIGRTMIN; number++)
			wanted.__val[0] &= ~(1ul << (number - 1));
		if (how != SIG_UNBLOCK)
			sis__sample_signal_unblocked(&wanted);
	}
	return sis__signal_mask(how, set ? &wanted : NULL, before) == 0 ? 0 : errno;
}

SIS_EXPORT int INTERPOSED(pthread_sigmask)(int how, const sigset_t *set, sigset_t *before)
{
	int saved = errno;
	int failed = set_mask(how, set, before);
	errno = saved;
	return failed;
}

SIS_EXPORT int INTERPOSED(sigprocmask)(int how, const sigset_t *set, sigset_t *before)
{
	int failed = set_mask(how, set, before);
	return failed ? -1 : 0;
}
#endif
