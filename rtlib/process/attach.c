/* SPDX-License-Identifier: BSD-3-Clause */
/* attach.c - gives a thread a slot on its first probe. Every thread. The first probe of a process
 * may start the runtime and open the profile.
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/slot_table.h"
#include "base/state.h"
#include "core/slot.h"
#include "core/thread.h"
#include "sampling/switches.h"
#include "stacks/samples.h"
#include "process/exit_race.h"
#include "process/no_processor.h"
#include "process/open.h"
#include "process/start.h"
#include "process/thread_exit.h"

#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Slot 0 is reserved for the initial thread until it ends. */
static struct sis_thread *slot_for_this_thread(void)
{
	if (sis__local.exits == 0 && (pid_t)syscall(SYS_gettid) == getpid())
		return sis__slot(0);
	return sis__slot_take();
}

static void attach(void)
{
	struct sis_local *local = &sis__local;
	if (local->refused || local->exits >= PTHREAD_DESTRUCTOR_ITERATIONS || !sis__store_open())
		return;
	sigset_t before;
	sis__guard_alone(&before);
	struct sis_thread *thread = slot_for_this_thread();
	if (thread) {
		sis__thread_exit_arm(thread);
		sis__switches_thread_begin(thread->pub.slot, sis__no_processor_begin());
		sis__stacks_thread_begin(thread);
	}
	local->refused = !thread;
	if (thread)
		sis__set_thread_state(thread); /* before a signal handler can attach the thread */
	sis__unguard_alone(&before);
}

/* Whether this thread will never be measured. While another thread opens the profile, or in a
 * forked child that has none yet, that is not known. */
static bool is_off_for_good(const struct sis_local *local)
{
	return !sis__config.enabled || sis__ending_is_over() || (!local->own && local->refused);
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
		else if (sis__store_open()) /* a forked child's first probe */
			sis__refresh();
		local->off = is_off_for_good(local);
	}
	errno = saved;
	if (sis__self != (struct sis__thread *)&sis__empty)
		return (struct sis_thread *)sis__self;
	sis__off = !local->traced && !local->inside;
	return local->traced;
}
