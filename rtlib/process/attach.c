/* SPDX-License-Identifier: BSD-3-Clause */
/* attach.c - gives a thread a slot on its first probe. Called by each thread. The first probe of a
 * process may start the runtime and open the profile.
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/slot_table.h"
#include "base/state.h"
#include "measure/core/slot.h"
#include "measure/core/thread.h"
#include "measure/sampling/switches.h"
#include "blame/stacks/samples.h"
#include "process/exit_race.h"
#include "process/no_processor.h"
#include "process/open.h"
#include "process/start.h"
#include "process/thread_exit.h"

#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

static void attach(void)
{
	struct sis_local *local = &sis__local;
	if (local->refused || local->exits >= PTHREAD_DESTRUCTOR_ITERATIONS || !sis__store_open())
		return;
	sigset_t before;
	sis__guard_alone(&before);
	/* slot 0 is reserved for the initial thread until it ends */
	bool is_initial = local->exits == 0 && (pid_t)syscall(SYS_gettid) == getpid();
	struct sis_thread *thread = is_initial ? sis__slot(0) : sis__slot_take();
	if (thread) {
		sis__thread_exit_arm(thread);
		sis__switches_thread_begin(thread->pub.slot, sis__no_processor_begin());
		sis__stacks_thread_begin(thread);
	}
	local->refused = !thread;
	if (thread)
		sis__set_thread_state(thread); /* before a handler can attach the thread */
	sis__unguard_alone(&before);
}

SIS_EXPORT struct sis_thread *sis__thread_slow(void)
{
	struct sis_local *local = &sis__local;
	if (local->traced)
		return local->traced;
	int saved = errno;
	if (!(local->inside | local->muted | local->skipped)) {
		sis__start();
		if (!local->own)
			attach();
		else if (sis__store_open()) /* first probe of a forked child */
			sis__refresh();
		/* `off` says that this thread will never be measured. It is false while another
		 * thread opens the profile, and in a forked child that has no profile yet. */
		local->off = !sis__config.enabled || sis__ending_is_over() ||
			     (!local->own && local->refused);
	}
	errno = saved;
	if (sis__self != (struct sis__thread *)&sis__empty)
		return (struct sis_thread *)sis__self;
	sis__off = !local->traced && !local->inside;
	return local->traced;
}
