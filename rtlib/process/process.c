/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c - the end of the process. The thread that exits, in the last destructor: after main,
 * the handlers of atexit, and the destructors of everything that depends on this library.
 */
#include "base/clock.h"
#include "profile/text.h"
#include "run/directory.h"
#include "run/header.h"
#include "trace/tracing.h"
#include "merged_file/unify.h"
#include "sampling/sampler.h"
#include "sampling/switches.h"
#include "stacks/samples.h"
#include "core/balance.h"
#include "core/drg.h"
#include "core/slot.h"
#include "process/clock_watch.h"
#include "process/exit_race.h"
#include "process/no_processor.h"
#include "process/process.h"
#include "process/seal.h"
#include "process/sensor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Notes how the run ends. Updates the stamp, so that open activations last until now. */
SIS_EXPORT void sis__process_state(enum sis_state state, int status)
{
	if (!sis__in_this_process())
		return;
	sis__ending_wait(); /* another thread may be sealing the file */
	if (!sis__store_is_live())
		return;
	if (sis__local.own)
		sis__local.own->pub.stamp = sis__ticks();
	sis__stacks_pause(state == SIS_STATE_RUNNING);
	sis__header()->status = status;
	sis__header()->state = state;
}

/* The last texts of the profile. They are written after the mark `end` and after the detachment, so
 * that the time they take does not count as the program's. */
static void write_last_texts(const struct sis_time_mark *end)
{
	if (sis__store_full)
		sis__warn_unkept(
			sis__store_full,
			"cannot extend the profile in '%s': %s; what did not fit is counted and "
			"missing",
			sis__store_directory(), strerror(sis__store_full));
	if (sis__nodes_full)
		sis__warn(
			"a thread's call graph has as many nodes as SIS_NODES allows; what is "
			"called deeper counts as its callers' work");
	if (sis__header()->parent_pid == 0)
		sis__machine_topology(end);
}

/* The thread that ends the process may be inside regions; those of other threads are closed in the
 * file. */
static void finish(void)
{
	struct sis_time_mark end;
	sis__guard();
	sis__clock_watch_end();
	sis__clock_mark(&end);
	if (sis__local.own)
		sis__close_path(sis__local.own, end.ticks);
	sis__no_processor_end(sis__local.own);
	sis__slots_commit();
	sis__sensors_end();
	sis__sampler_end();
	sis__switches_end();
	sis__stacks_end(&end);
	sis__trace_end(&end);
	if (sis__store_detach()) {
		write_last_texts(&end);
		sis__imbalances_print();
		sis__store_set_live(false);
		if (sis__store_finish(&end))
			sis__unify_finish();
	}
	sis__store_set_live(false);
	sis__unguard();
}

/* The longer the run so far, the better the rate is known. */
void sis__process_rate(void)
{
	enum { LEAST_NS = 10000000 };
	struct sis_profile_header *header = sis__header();
	struct sis_time_mark now;
	sis__clock_mark(&now);
	if (now.monotonic_ns - header->start.monotonic_ns > LEAST_NS)
		header->ticks_per_second = sis__clock_rate(&header->start, &now);
}

/* In a sandbox (confine.c). What is measured stays as it is, without a system call: the other
 * threads go on, and the file cannot be detached from them. */
static void finish_confined(void)
{
	if (!sis__store_is_live())
		return;
	sis__guard();
	if (sis__local.own) /* else it may read no clock */
		sis__local.own->pub.stamp = sis__ticks();
	if (sis__local.own && sis__confined_clocks)
		sis__process_rate();
	sis__slots_commit();
	sis__header()->state = SIS_STATE_SANDBOX;
	sis__unguard();
}

void sis__process_end(void)
{
	if (!sis__in_this_process())
		return;
	if (sis__is_confined()) {
		finish_confined();
		return;
	}
	if (!sis__ending_begin()) {
		sis__ending_wait();
		return;
	}
	if (sis__store_is_live())
		finish();
	sis__ending_done();
}

void sis__ending_last(int status, void *unused)
{
	(void)status;
	if (sis__ending_is_over() || sis__ending_is_mine())
		return;
	if (!sis__in_this_process() || sis__is_confined()) /* or nothing is measured */
		return;
	on_exit(sis__ending_last, unused);
	on_exit(sis__ending_last, unused);
	sis__process_end();
}

/* The last destructor of the runtime: it runs after main, the handlers of atexit, and the
 * destructors of everything that depends on this library. */
__attribute__((destructor(101))) static void destructor(void)
{
	sis__process_end();
}
