/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - opens the profile of a process that has no probes, as soon as the process has lived for
 * some time. Called by the initial thread, in the handler of its timer, too, and by the thread that
 * ends the process.
 *
 * With SIS_RUN every process is measured. Most processes of a script live for a millisecond, and a
 * profile would cost more than such a process. So the profile is opened by the first of these
 * events:
 *
 *     a thread is created; a call of MPI or OpenMP; a call that sleeps     attach.c
 *     the initial thread has used the processor for WATCHED_NS             its timer
 *     the process gives up rights, or goes into a sandbox                  sis__watch_confine
 *     the process ends, or executes another program, after WATCHED_NS      sis__watch_end
 *
 * The root of slot 0 begins at the start of the process, so no time is lost. A process that ends
 * earlier leaves only a line in the experiment.
 * The timer's handler may have interrupted malloc or the dynamic linker. So the code that opens a
 * profile calls neither of them (sis__linker_is_forbidden). Modules (PAPI, zstd) and threads of
 * pthreads cannot do without. If a setting or the kernel makes them necessary, the profile is
 * opened before main.
 * LIMIT: a process that is killed before any of these events leaves nothing.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/bare_thread.h"
#include "base/state.h"
#include "base/thread_variables.h"
#include "output/run/directory.h"
#include "process/watch.h"
#include "blame/stacks/link_maps.h"
#include "blame/stacks/sample_signal.h"
#include "blame/stacks/thread_timer.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WATCHED_NS = 5000000, AGAIN_NS = 1000000 };

static int timer = -1;

/* Called in the handler of the samples' signal. Returns whether the timer sent the signal. If the
 * signal interrupted the runtime, the timer sends another one. */
static bool timer_sent(const siginfo_t *info)
{
	if (!sis__timer_sent(info) || info->si_timerid != timer)
		return false;
	sis__local.interrupts = true;
	if (sis__watched && !sis__thread_slow() && sis__local.inside)
		sis__timer_once(timer, AGAIN_NS);
	sis__local.interrupts = false;
	return true;
}

static void start_timer(void)
{
	int number = sis__sample_signal_take();
	sis__sample_signal_ask(timer_sent);
	timer = number ? sis__timer_new((uint32_t)syscall(SYS_gettid), number) : -1;
	if (timer >= 0)
		sis__timer_once(timer, WATCHED_NS);
}

static bool can_open_in_handler(void)
{
	const struct sis_config *config = &sis__config;
	return !config->trace.mode && !config->metrics && !config->blame.event[0] &&
	       !config->sensor_ns && !config->rules && sis__bare_thread_is_possible() &&
	       (!config->blame.rate || sis__link_maps_are_readable());
}

/* A child does not inherit the timer. */
void sis__watch_new_process(void)
{
	timer = -1;
	if (!sis__measures_all || !sis__config.enabled)
		return;
	sis__watched = true;
	if (can_open_in_handler())
		start_timer();
}

static void note_short(uint64_t life_ns)
{
	struct rusage used;
	char life[32];
	if (getrusage(RUSAGE_SELF, &used) != 0)
		memset(&used, 0, sizeof used);
	int64_t cpu_us = (int64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
		used.ru_utime.tv_usec + used.ru_stime.tv_usec;
	snprintf(life, sizeof life, "%" PRIu64, life_ns);
	sis__directory_note_process(life, cpu_us * 1000);
}

void sis__watch_begin(void)
{
	if (sis__refused)
		sis__directory_note_process(sis__refused, 0);
	if (!sis__watched)
		return;
	pthread_atfork(NULL, NULL, sis__watch_new_process);
	sis__variables_note();
	if (can_open_in_handler())
		start_timer();
	else
		sis__thread_slow();
}

void sis__watch_end(bool goes_on)
{
	struct sis_time_mark now;
	int saved = errno;
	if (!sis__watched || !sis__in_this_process() || sis__is_confined())
		return;
	sis__clock_mark(&now);
	uint64_t life_ns = now.monotonic_ns - sis__header()->start.monotonic_ns;
	if (life_ns >= WATCHED_NS)
		sis__thread_slow();
	else if (!goes_on)
		note_short(life_ns);
	sis__watched = goes_on && sis__watched;
	errno = saved;
}

void sis__watch_confine(void)
{
	if (sis__watched && sis__in_this_process() && !sis__is_confined())
		sis__thread_slow();
}

void sis__watch_stop(void)
{
	if (timer < 0)
		return;
	sis__timer_delete(timer);
	sis__sample_signal_drain();
	timer = -1;
}
