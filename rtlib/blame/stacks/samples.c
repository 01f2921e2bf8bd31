/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c - begins and ends the samples of call stacks. Called by the thread that opens the
 * profile, by the sampler at each look, and by the thread that ends the process.
 *
 *      a thread that runs     the kernel sends the thread a signal at the end of each period of its
 *                             CPU time (sample_source.c). The thread unwinds its own stack and
 *                             counts it in its table
 *      a thread that waits    the sampler unwinds the thread's stack and counts it (blocked.c)
 *      both                   a stack is in the file as soon as it is counted (stack_table.c)
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/state.h"
#include "measure/counters/counter_papi.h"
#include "measure/counters/papi_module.h"
#include "output/profile/text.h"
#include "measure/sampling/sampler.h"
#include "blame/stacks/allocations.h"
#include "blame/stacks/blocked.h"
#include "blame/stacks/link_maps.h"
#include "blame/stacks/module_list.h"
#include "blame/stacks/perf_map.h"
#include "blame/stacks/sample_signal.h"
#include "blame/stacks/sampled_thread.h"
#include "blame/stacks/samples.h"
#include "blame/stacks/stacks_file.h"
#include "blame/stacks/writing.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool running;
/* Held while the dynamic linker is called. A fork takes this lock, so that no thread holds the
 * dynamic linker's own lock for the runtime during the fork. */
static struct sis_lock modules_lock;
static bool locked; /* the thread that forks holds modules_lock */
/* This thread has asked to be sampled, because its stack was needed before its first sample. */
static __thread bool asked __attribute__((tls_model("initial-exec")));

static void look_at_modules(void)
{
	if (!sis__lock(&modules_lock))
		return;
	sis__modules_look();
	sis__unlock(&modules_lock);
}

/* -- the sampler ------------------------------------------------------------------------------- */

static bool looking; /* the sampler is in a function of this section */

/* Takes no sample after the end of the samples, or in a forked child before their begin. */
static void sample(const struct sis_sample *sample)
{
	if (!sis__writing_begin(&looking, &running))
		return;
	sis__blocked_sample(sample);
	sis__writing_end(&looking);
}

static void after_round(uint64_t ticks)
{
	(void)ticks;
	if (!sis__writing_begin(&looking, &running))
		return;
	sis__sampled_scan();
	sis__sampled_grow();
	sis__blocked_grow();
	look_at_modules();
	sis__writing_end(&looking);
}

static const struct sis_subscriber subscriber = { .sample = sample, .round = after_round };

/* -- the begin --------------------------------------------------------------------------------- */

/* Tests whether the kernel grants this source. Returns 0 or an errno. */
static int try(const struct sis_sample_source *source)
{
	int handle = sis__source_open(source, (uint32_t)syscall(SYS_gettid), SIGRTMAX);
	if (handle >= 0)
		sis__source_close(source, handle);
	return handle < 0 ? -handle : 0;
}

static void say(const char *why)
{
	sis__warn("%s", why);
	sis__stacks_text("warning", why);
}

/* Samples of each thread in a second. With METHOD_PAPI this is the rate for threads that wait only.
 */
static unsigned rate_of(const struct sis_sample_source *source)
{
	uint64_t rate = sis__config.blame.rate;
	return (unsigned)(source->method == SIS_METHOD_TIMER ? 1000000000u / source->period : rate);
}

/* The warning for the user: why the source is not the one that SIS_BLAME asks for. */
struct why { char text[512]; };

__attribute__((format(printf, 2, 3))) static void add_reason(struct why *why, const char *format,
							     ...)
{
	size_t used = strlen(why->text);
	va_list list;
	va_start(list, format);
	if (used == 0)
		used = (size_t)snprintf(why->text, sizeof why->text, "SIS_BLAME: ");
	vsnprintf(why->text + used, sizeof why->text - used, format, list);
	va_end(list);
}

/* Asks PAPI for the numbers of an event for which the kernel has no name. Returns false if PAPI
 * does not know them. */
static bool encode_event(struct sis_sample_source *source, const char **reason)
{
	const struct sis_blame_config *blame = &sis__config.blame;
	struct sis_papi_code code;
	const struct sis_papi *papi = sis__papi(reason);
	if (!papi || papi->encode(blame->event, &code, reason) != 0)
		return false;
	*source = (struct sis_sample_source){ SIS_METHOD_PAPI, blame->period, code.type,
					      code.config, code.config1, code.config2 };
	return true;
}

/* Sets the source to the event that SIS_BLAME asks for. Returns false if the event cannot be
 * counted. */
static bool choose_event(struct sis_sample_source *source, struct why *why)
{
	const struct sis_blame_config *blame = &sis__config.blame;
	const char *reason = NULL;
	if (sis__source_of_event(blame->event, blame->period, source) ||
	    encode_event(source, &reason)) {
		int failed = try(source);
		if (!failed)
			return true;
		reason = strerrordesc_np(failed);
	}
	if (strncmp(blame->event, "PAPI_", 5) == 0 && !sis_kernel_has_counters())
		reason = SIS_NO_COUNTERS;
	add_reason(why, "%s cannot be counted here: %s; samples are taken by CPU time; ",
		   blame->event, reason);
	return false;
}

/* The source if the kernel refuses perf_event: a timer or, if that is refused, too, the sampler's
 * looks. */
static struct sis_sample_source choose_timer(uint64_t period_ns, struct why *why)
{
	struct sis_sample_source timer = sis__source_of_timer(period_ns);
	int failed = try(&timer);
	if (!failed) {
		add_reason(why, "timers of the threads are used; ");
		return timer;
	}
	add_reason(why, "it refuses timers, too: %s; samples have a node of the call graph and no "
		   "call stack; ", strerrordesc_np(failed));
	timer.method = SIS_METHOD_LOOK;
	timer.period = period_ns;
	return timer;
}

/* The source that SIS_BLAME asks for or, if that is not possible, the next best one. */
static struct sis_sample_source choose(struct why *why)
{
	uint64_t period_ns = 1000000000u / sis__config.blame.rate;
	struct sis_sample_source source;
	why->text[0] = '\0';
	if (sis__config.blame.event[0] && choose_event(&source, why))
		return source;
	source = sis__source_of_clock(period_ns);
	int failed = try(&source);
	if (failed) {
		add_reason(why, "the kernel refuses perf_event: %s (see /proc/sys/kernel/"
			   "perf_event_paranoid); ", strerrordesc_np(failed));
		source = choose_timer(period_ns, why);
	}
	if (why->text[0])
		add_reason(why, "%u samples a second", rate_of(&source));
	return source;
}

static void set_method(struct sis_stacks_header *header, const struct sis_sample_source *source)
{
	bool events = source->method == SIS_METHOD_PAPI;
	header->method = source->method;
	header->rate = events ? source->period : rate_of(source);
	snprintf(header->metric, sizeof header->metric, "%s",
		 events ? sis__config.blame.event : "WTIME");
}

static bool make_file(const struct sis_sample_source *source)
{
	struct sis_stacks_header header = {
		.kinds = 1u << SIS_STACK_RUNNING | 1u << SIS_STACK_BLOCKED,
	};
	set_method(&header, source);
	int failed = sis__stacks_file_make(&header);
	if (failed)
		sis__warn("no samples are kept: cannot create a file in '%s': %s",
			  sis__config.output ? sis__config.output : ".", strerrordesc_np(-failed));
	return !failed;
}

void sis__stacks_begin(void)
{
	static struct sis_sample_source source;
	struct why why;
	if (!sis__config.blame.rate || running)
		return;
	source = choose(&why);
	if (!make_file(&source))
		return;
	if (why.text[0])
		say(why.text);
	int number = source.method == SIS_METHOD_LOOK ? 0 : sis__sample_signal_take();
	if (number == 0 && source.method != SIS_METHOD_LOOK) {
		say("SIS_BLAME: the program uses all real-time signals; samples have a node of the "
		    "call graph and no call stack");
		source.method = SIS_METHOD_LOOK;
		set_method(sis__stacks_header(), &source);
	}
	look_at_modules();
	bool has_blocked = sis__blocked_begin(1000000000u / rate_of(&source),
					      source.method == SIS_METHOD_LOOK);
	sis__sampled_begin(&source, number);
	sis__sampled_scan();
	__atomic_store_n(&running, true, __ATOMIC_SEQ_CST);
	if (source.method != SIS_METHOD_LOOK) /* without stacks, allocations are not recorded */
		sis__allocations_begin();
	if (!sis__link_maps_are_readable())
		sis__sampler_needs_libc();
	sis__sampler_subscribe(&subscriber);
	if (!has_blocked || !sis__sampler_start(rate_of(&source)))
		say("SIS_BLAME: no thread can be created that looks at the others: time in which "
		    "threads wait has no samples");
}

/* -- threads ----------------------------------------------------------------------------------- */

void sis__stacks_thread_begin(struct sis_thread *thread)
{
	if (!running)
		return;
	thread->stack_origin = sis__sampled_origin();
	sis__sampled_add((uint32_t)syscall(SYS_gettid), true);
}

void sis__stacks_thread_end(void)
{
	if (running)
		sis__sampled_remove((uint32_t)syscall(SYS_gettid));
}

void sis__stacks_thread_confine(void)
{
	if (!running)
		return;
	sis__sampled_confine((uint32_t)syscall(SYS_gettid));
	sis__sample_signal_drain();
}

static void sample_self(void)
{
	if (sis__sampled_is_self() || asked || sis__local.exits > 0)
		return;
	asked = true;
	sis__sampled_add((uint32_t)syscall(SYS_gettid), true);
}

void sis__stacks_member_begin(void)
{
	if (SIS_LIKELY(!running))
		return;
	int saved = errno;
	sample_self();
	errno = saved;
}

uint64_t sis__stacks_origin(void)
{
	return running ? sis__stacks_offset(sis__sampled_here(SIS_STACK_ORIGIN, NULL)) : 0;
}

bool sis__stacks_running(void)
{
	return running;
}

uint64_t sis__stacks_thread_origin(const void *from)
{
	if (SIS_LIKELY(!running))
		return 0;
	int saved = errno;
	sample_self();
	uint64_t origin = sis__stacks_offset(sis__sampled_here(SIS_STACK_ORIGIN, from));
	errno = saved;
	return origin;
}

void sis__stacks_thread_came_from(uint64_t origin)
{
	sis__sampled_came_from(origin);
}

const struct sis_task_origin *sis__stacks_task_origin(const void *from)
{
	if (SIS_LIKELY(!running))
		return NULL;
	int saved = errno;
	sample_self();
	const struct sis_task_origin *origin = sis__sampled_task(from);
	if (!origin) { /* the thread has filled its room, and the sampler has not made more yet */
		sis__sampled_grow_self();
		origin = sis__sampled_task(from);
	}
	errno = saved;
	return origin;
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
	__atomic_store_n(&running, false, __ATOMIC_SEQ_CST);
	sis__writing_wait(&looking);
	sis__allocations_end();
	sis__sampled_end(); /* the handler stays installed, because a signal may be pending */
	look_at_modules();
	sis__perf_map_keep();
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
	sis__modules_new_process(); /* needed also if the samples begin only in the child */
	looking = false;
	if (!running)
		return;
	running = false;
	sis__sample_signal_release();
	sis__allocations_new_process();
	sis__sampled_new_process();
	sis__task_origins_new_process();
	asked = false;
	sis__blocked_new_process();
	sis__stacks_file_new_process();
}
