/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c - begins and ends the samples of call stacks. The thread that opens the profile, the
 * sampler at each look, the thread that ends the process.
 *
 *      a thread that runs     the kernel sends it a signal at the end of each period of its CPU
 *                             time; it unwinds its stack and counts it in its table
 *      a thread that waits    the sampler looks at it (blocked.c)
 *      both                   stacks go into the file as they are counted (stack_table.c)
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/state.h"
#include "profile/text.h"
#include "sampling/sampler.h"
#include "stacks/allocations.h"
#include "stacks/blocked.h"
#include "stacks/module_list.h"
#include "stacks/sample_signal.h"
#include "stacks/sampled_thread.h"
#include "stacks/samples.h"
#include "stacks/stacks_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool running;
/* Held while the dynamic linker is asked: its lock must not be held by another thread in a fork. */
static struct sis_lock modules_lock;
static bool locked; /* by the thread that forks */

static void look_at_modules(void)
{
	if (!sis__lock(&modules_lock))
		return;
	sis__modules_look();
	sis__unlock(&modules_lock);
}

static void after_round(uint64_t ticks)
{
	(void)ticks;
	sis__sampled_scan();
	sis__sampled_grow();
	sis__blocked_grow();
	look_at_modules();
}

static const struct sis_subscriber subscriber = { .sample = sis__blocked_sample,
						  .round = after_round };

/* -- the begin --------------------------------------------------------------------------------- */

/* Whether the kernel counts this. 0 or an errno. */
static int try(const struct sis_sample_source *source)
{
	int fd = sis__source_open(source, (uint32_t)syscall(SYS_gettid), SIGRTMAX);
	if (fd >= 0)
		sis__source_close(fd);
	return fd < 0 ? -fd : 0;
}

static void say(const char *why)
{
	sis__warn("%s", why);
	sis__stacks_text("warning", why);
}

/* What SIS_BLAME asks for, or what comes next to it. `why`: what the user should know. */
static struct sis_sample_source choose(char *why, size_t size)
{
	const struct sis_blame_config *blame = &sis__config.blame;
	struct sis_sample_source clock = sis__source_of_clock(1000000000u / blame->rate), event;
	why[0] = '\0';
	if (blame->event[0]) {
		if (!sis__source_of_event(blame->event, blame->period, &event)) {
			snprintf(why, size, "SIS_BLAME: samples cannot be taken by %s; they are "
				 "taken %u times a second", blame->event, (unsigned)blame->rate);
		} else {
			int failed = try(&event);
			if (!failed)
				return event;
			snprintf(why, size, "SIS_BLAME: %s cannot be counted here: %s; samples are "
				 "taken %u times a second", blame->event, strerror(failed),
				 (unsigned)blame->rate);
		}
	}
	int failed = try(&clock);
	if (!failed)
		return clock;
	snprintf(why, size, "SIS_BLAME: the kernel refuses perf_event: %s; samples have a node of "
		 "the call graph and no call stack (see /proc/sys/kernel/perf_event_paranoid)",
		 strerror(failed));
	clock.method = SIS_METHOD_LOOK;
	return clock;
}

static bool make_file(const struct sis_sample_source *source)
{
	struct sis_stacks_header header = {
		.method = source->method,
		.kinds = 1u << SIS_STACK_RUNNING | 1u << SIS_STACK_BLOCKED,
		.rate = source->method == SIS_METHOD_PAPI ? source->period
							  : sis__config.blame.rate,
	};
	const char *metric = source->method == SIS_METHOD_PAPI ? sis__config.blame.event : "WTIME";
	snprintf(header.metric, sizeof header.metric, "%s", metric);
	int failed = sis__stacks_file_make(&header);
	if (failed)
		sis__warn("no samples are kept: cannot create a file in '%s': %s",
			  sis__config.output ? sis__config.output : ".", strerror(-failed));
	return !failed;
}

static int take_signal(struct sis_sample_source *source)
{
	int number = source->method == SIS_METHOD_LOOK ? 0 : sis__sample_signal_take();
	if (number == 0 && source->method != SIS_METHOD_LOOK) {
		say("SIS_BLAME: the program uses all real-time signals; samples have a node of the "
		    "call graph and no call stack");
		source->method = SIS_METHOD_LOOK;
		sis__stacks_header()->method = SIS_METHOD_LOOK;
	}
	return number;
}

void sis__stacks_begin(void)
{
	static struct sis_sample_source source;
	char why[256];
	if (!sis__config.blame.rate || running)
		return;
	source = choose(why, sizeof why);
	if (!make_file(&source))
		return;
	if (why[0])
		say(why);
	int number = take_signal(&source);
	look_at_modules();
	bool has_blocked = sis__blocked_begin(1000000000u / sis__config.blame.rate,
					      source.method == SIS_METHOD_LOOK);
	running = true;
	sis__sampled_begin(&source, number);
	sis__sampled_scan();
	if (source.method != SIS_METHOD_LOOK) /* without stacks it says nothing */
		sis__allocations_begin();
	sis__sampler_subscribe(&subscriber);
	if (!has_blocked || !sis__sampler_start((unsigned)sis__config.blame.rate))
		say("SIS_BLAME: no thread can be created that looks at the others: time in which "
		    "threads wait has no samples");
}

/* -- threads ----------------------------------------------------------------------------------- */

void sis__stacks_thread_begin(void)
{
	if (running)
		sis__sampled_add((uint32_t)syscall(SYS_gettid), true);
}

void sis__stacks_thread_end(void)
{
	if (running)
		sis__sampled_remove((uint32_t)syscall(SYS_gettid));
}

uint64_t sis__stacks_origin(void)
{
	return running ? sis__stacks_offset(sis__sampled_here(SIS_STACK_ORIGIN, NULL)) : 0;
}

/* -- the process ------------------------------------------------------------------------------- */

void sis__stacks_pause(bool on)
{
	if (!running)
		return;
	sis__sampled_pause(on);
	if (!on)
		sis__sample_signal_drain();
}

void sis__stacks_end(const struct sis_time_mark *end)
{
	if (!running)
		return;
	running = false;
	sis__allocations_end();
	sis__sampled_end(); /* the handler stays: a signal may be pending */
	look_at_modules();
	sis__stacks_file_seal(end);
}

void sis__stacks_fork_prepare(void)
{
	locked = running && sis__lock(&modules_lock);
}

void sis__stacks_fork_parent(void)
{
	if (locked)
		sis__unlock(&modules_lock);
	locked = false;
}

void sis__stacks_new_process(void)
{
	sis__stacks_fork_parent();
	if (!running)
		return;
	running = false;
	sis__sample_signal_release();
	sis__allocations_new_process();
	sis__sampled_new_process();
	sis__blocked_new_process();
	sis__modules_new_process();
	sis__stacks_file_new_process();
}
