/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_watch.c - see clock_watch.h. The clocks are read by the sampler in its rounds, by threads
 * that ask the kernel for their lack of a processor, and by the thread that ends the process. Only
 * one thread at a time reads them.
 *
 * If two readings in succession are not on the line through earlier readings, the counter has
 * jumped or has another rate. From then on, ticks are computed from the kernel's clock.
 *
 * LIMIT: times that were measured between the look before a jump and the look after it contain the
 * jump.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/kernel_clock.h"
#include "base/state.h"
#include "base/ticks.h"
#include "output/profile/text.h"
#include "measure/sampling/sampler.h"
#include "process/clock_watch.h"

#include <stdio.h>

enum { LOOKS_PER_SECOND = 10 };

/* Only the thread that has set `looking` uses these. */
static struct sis_reading first, last;
static uint64_t rate; /* ticks per second */
static bool looking;
/* The time of the last look, and the time between two looks, in ticks. If `interval` is 0, nothing
 * is watched. Relaxed, since a thread that loads an old value only looks too early or too late. */
static uint64_t looked_at, interval;

static void take_as_last(const struct sis_reading *reading)
{
	last = *reading;
	if (last.ns <= first.ns || last.ticks <= first.ticks)
		return;
	rate = sis__share(last.ticks - first.ticks, SIS_NS, last.ns - first.ns);
	__atomic_store_n(&interval, rate / LOOKS_PER_SECOND, __ATOMIC_RELAXED);
}

static void look(void)
{
	struct sis_reading now;
	int64_t off_ns = 0;
	for (int tries = 0; tries < 2; tries++) {
		sis__reading_take(&now);
		off_ns = sis__reading_off(&first, &last, &now);
		if (!off_ns)
			return take_as_last(&now);
	}
	uint64_t start_ns = sis__header()->start.monotonic_ns;
	double since = (double)(sis__clock_ns(CLOCK_MONOTONIC) - start_ns) / 1e9;
	uint64_t passed = now.ns - last.ns;
	sis__clock_leave_counter(last.ticks + sis__share(passed, rate, SIS_NS), rate);
	sis__text("warning",
		  "the processor's counter jumped by %.6f s between %.3f and %.3f s after the "
		  "start, as if the virtual machine had moved to another host; times that were "
		  "measured meanwhile may be wrong by as much; the clock is clock_gettime "
		  "since then",
		  (double)off_ns / 1e9, since - (double)passed / 1e9, since);
}

/* The difference to the last look is unsigned. So if the counter has jumped back, the difference is
 * larger than the interval, too. */
void sis__clock_watch(uint64_t now)
{
	uint64_t wait = __atomic_load_n(&interval, __ATOMIC_RELAXED);
	if (!wait || now - __atomic_load_n(&looked_at, __ATOMIC_RELAXED) < wait ||
	    __atomic_exchange_n(&looking, true, __ATOMIC_ACQUIRE))
		return;
	if (sis__clock_needs_watch()) {
		struct sis__fp program = sis__fp_begin();
		look();
		sis__fp_end(&program);
	}
	__atomic_store_n(&looked_at, sis__ticks(), __ATOMIC_RELAXED);
	__atomic_store_n(&looking, false, __ATOMIC_RELEASE); /* pairs with the exchange */
}

void sis__clock_watch_end(void)
{
	__atomic_store_n(&looked_at, 0, __ATOMIC_RELAXED);
	sis__clock_watch(sis__ticks());
}

/* -- the start --------------------------------------------------------------------------------- */

void sis__clock_watch_prepare(void)
{
	if (sis__clock_needs_watch())
		sis__reading_take(&first);
}

static double ns_of_read(void)
{
	enum { ROUNDS = 4, READS = 256 };
	uint64_t quickest = UINT64_MAX;
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t from = sis__clock_ns(CLOCK_MONOTONIC);
		for (int i = 0; i < READS; i++)
			(void)sis__ticks();
		uint64_t ns = sis__clock_ns(CLOCK_MONOTONIC) - from;
		quickest = ns < quickest ? ns : quickest;
	}
	return (double)quickest / READS;
}

SIS_EXPORT void sis__clock_describe(char *text, size_t size)
{
	char why[128] = ""; /* why this clock is used */
	const struct sis_counter_test *test = sis__clock_test();
	if (test->result == SIS_COUNTER_DIFFERS)
		snprintf(why, sizeof why, "; the counters of the processors differ by %.6f s",
			 (double)test->off_ns / 1e9);
	else if (sis__config.clock != SIS_CLOCK_IS_AUTO)
		snprintf(why, sizeof why, "; SIS_CLOCK chose it");
	else if (test->result == SIS_COUNTER_NONE)
		snprintf(why, sizeof why, "; the processor has no steady counter");
	else if (test->result == SIS_COUNTER_TESTED)
		snprintf(why, sizeof why, "; the kernel does not list it, and a test on %u "
			 "processor%s found it steady", test->processors,
			 test->processors == 1 ? "" : "s");
	snprintf(text, size, "%s, %.1f ns a read%s",
		 sis__clock_is_tsc ? "the processor's counter" : "clock_gettime", ns_of_read(),
		 why);
}

static const struct sis_subscriber rounds = { .round = sis__clock_watch };

void sis__clock_watch_start(void)
{
	char text[256];
	struct sis_reading now;
	sis__clock_describe(text, sizeof text);
	sis__text("clock", "%s", text);
	if (!sis__clock_needs_watch())
		return;
	sis__reading_take(&now);
	take_as_last(&now);
	__atomic_store_n(&looked_at, now.ticks, __ATOMIC_RELAXED);
	sis__sampler_subscribe(&rounds);
}

/* Resets `looking`, since another thread may have been looking in the parent. */
void sis__clock_watch_new_process(void)
{
	looking = false;
}
