/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c - the end of the process. Called by the thread that exits, in the last destructor:
 * after main, the handlers of atexit, and the destructors of everything that depends on this
 * library.
 */
#include "base/clock.h"
#include "base/own_stack.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "output/run/header.h"
#include "output/trace/tracing.h"
#include "output/merged_file/unify.h"
#include "measure/sampling/sampler.h"
#include "measure/sampling/switches.h"
#include "blame/stacks/samples.h"
#include "measure/core/balance.h"
#include "measure/core/drg.h"
#include "measure/core/slot.h"
#include "process/clock_watch.h"
#include "process/exit_race.h"
#include "process/no_processor.h"
#include "process/process.h"
#include "process/seal.h"
#include "process/sensor.h"
#include "process/watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the last texts of the profile. Called after the time `end` of the process was taken and
 * the file was detached, so that the time for this does not count as time of the program. */
static void write_last_texts(const struct sis_time_mark *end)
{
	if (sis__store_full)
		sis__warn_unkept(
			sis__store_full,
			"cannot extend the profile in '%s': %s; what did not fit is counted and "
			"missing",
			sis__store_directory(), strerrordesc_np(sis__store_full));
	if (sis__nodes_full)
		sis__warn(
			"a thread's call graph has as many nodes as SIS_NODES allows; what is "
			"called deeper counts as its callers' work");
	if (sis__header()->parent_pid == 0)
		sis__machine_topology(end);
}

/* The thread that ends the process may be inside regions, which are closed here. Open regions of
 * other threads are closed in the file (seal.c). */
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
		if (sis__store_finish(&end)) {
			sis__unify_finish();
			sis__directory_finish();
		}
	}
	sis__store_set_live(false);
	sis__unguard();
}

/* Computes the clock's rate again: the longer the run so far, the more exact is the rate. */
void sis__process_rate(void)
{
	enum { LEAST_NS = 10000000 };
	struct sis_profile_header *header = sis__header();
	struct sis_time_mark now;
	sis__clock_mark(&now);
	if (now.monotonic_ns - header->start.monotonic_ns > LEAST_NS)
		header->ticks_per_second = sis__clock_rate(&header->start, &now);
}

/* Called if the process ends in a sandbox (confine.c), where no system call is possible. So the
 * profile is not sealed. Other threads go on to write to the file. */
static void finish_confined(void)
{
	if (!sis__store_is_live())
		return;
	sis__guard();
	if (sis__local.own) /* otherwise the thread may be forbidden to read the clock */
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
	sis__watch_end(false);
	if (sis__store_is_live())
		sis__on_own_stack(finish);
	sis__ending_done();
}

void sis__ending_last(int status, void *unused)
{
	(void)status;
	if (sis__ending_is_over() || sis__ending_is_mine())
		return;
	/* sis__in_this_process is false also if nothing is measured */
	if (!sis__in_this_process() || sis__is_confined())
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
