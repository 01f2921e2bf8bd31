/* SPDX-License-Identifier: BSD-3-Clause */
/* fork_bare.c - _Fork, a fork that calls no handlers, so that signal handlers may call it. Called
 * by any thread.
 *
 * Here the handlers of process/fork.c are called around _Fork; otherwise the child would write to
 * its parent's file. These handlers only make system calls. In libsis.a fork calls _Fork, after its
 * own handlers.
 */
#include "base/runtime.h"
#include "process/fork.h"
#include "process/watch.h"
#include "adapters/libc/libc_entry.h"

#include <errno.h>

SIS_EXPORT pid_t INTERPOSED(_Fork)(void)
{
	static __typeof__(_Fork) *real;
	bool handled = sis__fork_is_handled();
	if (!handled)
		sis__fork_prepare();
	if (!real)
		real = REAL(_Fork);
	pid_t child = real();
	int saved = errno;
	if (!handled && child == 0) {
		sis__fork_child();
		sis__watch_new_process();
	} else if (!handled) {
		sis__fork_parent();
	}
	errno = saved;
	return child;
}
