/* SPDX-License-Identifier: BSD-3-Clause */
/* thread.c - changes of a thread's state: another slot, measurement off and on. Called by the
 * thread itself. base/state.c draws how a probe finds the state; process/attach.c gives a thread
 * its first state.
 */
#include "base/clock.h"
#include "base/state.h"
#include "output/profile/switched.h"
#include "measure/core/drg.h"
#include "measure/core/thread.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Only the first call has an effect. It comes before any of the program's probes has found a
 * thread. */
SIS_EXPORT void sis__near_at(long distance, unsigned *timing)
{
	if (sis__self_distance)
		return;
	sis__clock_copy_at(timing);
	sis__self_distance = distance;
	sis__refresh();
}

SIS_EXPORT void sis__near_traces(void)
{
	if (__atomic_load_n(&sis__near_is_traced, __ATOMIC_RELAXED))
		return;
	sis__clock_copy_traces();
	sis__refresh();
}

/* Guarded, because otherwise a signal handler between these stores would enter a region in the old
 * state, and leave it in the new one. */
SIS_EXPORT struct sis_thread *sis__set_thread_state(struct sis_thread *thread)
{
	struct sis_thread *before = sis__local.own;
	if (before && before->pause)
		sis__pause_over(before, sis__ticks());
	sis__guard();
	if (SIS_UNLIKELY(sis__local.tid == 0))
		sis__local.tid = (uint32_t)syscall(SYS_gettid);
	if (thread)
		thread->pub.tid = sis__local.tid;
	if (thread && !__atomic_load_n(&sis__confined, __ATOMIC_RELAXED))
		sis__local.known = true;
	sis__local.own = thread;
	sis__local.muted = sis__local.paused = sis__local.skipped = 0;
	sis__unguard();
	return before;
}

/* -- not measured ------------------------------------------------------------------------------ */

static bool can_change(const struct sis_thread *thread)
{
	return thread && sis__store_is_live() && !sis__local.inside;
}

void sis__unmeasured_begin(struct sis_thread *thread, uint64_t now)
{
	int saved = errno;
	if (!can_change(thread))
		return;
	sis__guard();
	sis__begin(thread, RT_UNMEASURED, now);
	sis__unguard();
	errno = saved;
}

bool sis__unmeasured_end(struct sis_thread *thread, uint64_t now)
{
	if (!can_change(thread) || sis_node_region(thread->pub.current) != RT_UNMEASURED)
		return false;
	sis__guard();
	sis__end(thread, thread->pub.current, now);
	sis__unguard();
	return true;
}

void sis__pause_over(struct sis_thread *thread, uint64_t now)
{
	if (!can_change(thread))
		return;
	sis__switched_on(thread->pause, now);
	thread->pause = NULL;
}

void sis__mute(uint32_t cause)
{
	struct sis_thread *thread = sis__local.own;
	if (sis__local.muted++ == 0 && can_change(thread)) {
		uint64_t now = sis__ticks();
		sis__unmeasured_begin(thread, now);
		if (cause && can_change(thread)) {
			sis__guard();
			thread->pause = sis__switched_of(&thread->pauses, SIS_SWITCHED_THREAD,
							 thread->pub.slot, cause);
			sis__switched_off(thread->pause, now);
			sis__unguard();
		}
	}
	sis__refresh();
}

void sis__unmute(void)
{
	if (sis__local.muted > 0 && --sis__local.muted == 0 && can_change(sis__local.own)) {
		uint64_t now = sis__ticks();
		sis__unmeasured_end(sis__local.own, now);
		sis__pause_over(sis__local.own, now);
	}
	sis__refresh();
}

SIS_EXPORT void sis_measure(int on)
{
	sis__measure_for(SIS_CAUSE_DISABLE, on);
}

/* Measurement is turned off and on in the same block of the source. So if an activation that was
 * skipped in between is still open when measurement is turned on, a jump has left it. */
void sis__measure_for(uint32_t cause, int on)
{
	struct sis_local *local = &sis__local;
	if (!on && local->muted == 0)
		local->skipped_before = local->skipped;
	if (on && local->muted == 1 && local->skipped > local->skipped_before)
		local->skipped = local->skipped_before;
	if (on)
		sis__unmute();
	else
		sis__mute(cause);
}
