/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.c - interposes the functions that return the action of a signal. The runtime has handlers
 * for the signals of a crash (process/fatal_signal.c); the program sees the actions that these
 * handlers replaced. Any thread, and signal handlers. So nothing is looked up with dlsym: libc has
 * each of these functions under a second name.
 *
 * LIMIT: sigset and sigvec show the runtime's handler. So do all with the thread sanitizer, which
 * calls these functions before code that it instruments can run.
 */
#include "base/runtime.h"
#include "process/fatal_signal.h"
#include "libc/libc_entry.h"

#ifndef __SANITIZE_THREAD__
SIS_EXPORT int INTERPOSED(sigaction)(int number, const struct sigaction *action,
				     struct sigaction *before)
{
	return sis__sigaction(number, action, before);
}

SIS_EXPORT sis_handler *INTERPOSED(signal)(int number, sis_handler *handler)
{
	return sis__handler_replaced(number, ssignal(number, handler));
}

SIS_EXPORT sis_handler *INTERPOSED(bsd_signal)(int number, sis_handler *handler)
{
	return sis__handler_replaced(number, ssignal(number, handler));
}

SIS_EXPORT sis_handler *INTERPOSED(__sysv_signal)(int number, sis_handler *handler)
{
	return sis__handler_replaced(number, sysv_signal(number, handler));
}
#endif
