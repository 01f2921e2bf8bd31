/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - the clock of the probes: the time-stamp counter where it is steady, else
 * CLOCK_MONOTONIC. Called at the start and the end of the process. Without a steady counter, every
 * probe calls sis__clock_slow.
 *
 * The analyzer converts ticks to nanoseconds, by the marks that this file takes. A mark has the
 * values of all clocks at one moment. If the counter jumps, ticks are computed from CLOCK_MONOTONIC
 * from then on. So they go on as if the counter had not jumped, and one conversion fits all.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/kernel_clock.h"
#include "base/state.h"
#include "base/ticks.h"

#if defined __x86_64__ || defined __i386__
enum { HAS_COUNTER = 1 };
#else
enum { HAS_COUNTER = 0 };
#endif

SIS_EXPORT int sis__clock_is_tsc;
SIS_EXPORT unsigned sis__sampling, sis__sampling_excess, sis__timing, sis__visits_left;

static struct sis_counter_test test;
static bool counts_ns; /* ticks are nanoseconds of CLOCK_MONOTONIC, since the start of the run */

/* The moment since which ticks are computed from CLOCK_MONOTONIC, because the counter jumped. */
static struct { uint64_t ticks, ns, rate; } line;

SIS_EXPORT unsigned long long sis__clock_slow(void)
{
	uint64_t ns = sis__clock_ns(CLOCK_MONOTONIC);
	if (counts_ns)
		return ns;
	/* pairs with the store in sis__clock_leave_counter */
	if (__atomic_load_n(&sis__clock_is_tsc, __ATOMIC_ACQUIRE))
		return sis__tsc();
	return line.ticks + sis__share(ns - line.ns, line.rate, SIS_NS);
}

static unsigned *program_copy = &sis__timing; /* the program's copy, if it has one */
static bool program_traces; /* the program's probes know SIS__TRACED */

/* Relaxed stores are enough: probes load sis__timing whenever they run, and each value is right at
 * any time. The copy of sis__self points to a thread that traces only when the probes put events.
 */
static void set_timing(void)
{
	unsigned left = __atomic_load_n(&sis__visits_left, __ATOMIC_RELAXED);
	bool is_tsc = __atomic_load_n(&sis__clock_is_tsc, __ATOMIC_RELAXED);
	unsigned slow = !is_tsc || left, timing = sis__sampling;
	bool traced = program_traces && is_tsc && sis__config.enabled &&
		      sis__config.trace.mode;
	timing = timing ? timing : slow;
	__atomic_store_n(&sis__timing, timing, __ATOMIC_RELAXED);
	__atomic_store_n(program_copy, traced ? SIS__TRACED : timing, __ATOMIC_RELAXED);
	__atomic_store_n(&sis__near_is_traced, traced, __ATOMIC_RELAXED);
}

void sis__clock_sample_one_in(unsigned n)
{
	__atomic_store_n(&sis__sampling, n, __ATOMIC_RELAXED); /* relaxed: see set_timing */
	set_timing();
}

static void (*when_over)(void);
/* Several threads count, and more than one may reach the end of the count. The first of these
 * threads calls when_over, and sees everything that was stored when the count began. */
static bool is_over;

SIS_EXPORT void sis__visits_over(void)
{
	if (__atomic_exchange_n(&is_over, true, __ATOMIC_ACQUIRE))
		return;
	struct sis__fp program = sis__fp_begin();
	sis__clock_count_visits(0, NULL);
	when_over();
	sis__fp_end(&program);
}

void sis__clock_count_visits(unsigned visits, void (*over)(void))
{
	if (over)
		when_over = over;
	__atomic_store_n(&sis__visits_left, visits, __ATOMIC_RELAXED); /* relaxed: see set_timing */
	set_timing();
	if (!over)
		return;
	(void)__atomic_exchange_n(&is_over, false, __ATOMIC_SEQ_CST);
	/* Threads that reached the end before the exchange did nothing, so this call makes up for
	 * it. */
	if (visits && !__atomic_load_n(&sis__visits_left, __ATOMIC_SEQ_CST))
		sis__visits_over();
}

void sis__clock_copy_at(unsigned *timing)
{
	program_copy = timing;
	set_timing();
}

void sis__clock_copy_traces(void)
{
	program_traces = program_copy != &sis__timing;
	set_timing();
}

/* With SIS_CLOCK=tsc the counter is used even if it is not steady. Then the runtime watches it. */
void sis__clock_init(void)
{
	if (sis__config.clock != SIS_CLOCK_IS_MONOTONIC)
		sis__counter_test(&test);
	sis__clock_is_tsc = test.result == SIS_COUNTER_LISTED ||
			    test.result == SIS_COUNTER_TESTED ||
			    (sis__config.clock == SIS_CLOCK_IS_TSC && HAS_COUNTER);
	counts_ns = !sis__clock_is_tsc;
	sis__clock_sample_one_in(0);
}

const struct sis_counter_test *sis__clock_test(void) { return &test; }

bool sis__clock_needs_watch(void)
{
	return sis__clock_is_tsc && test.result != SIS_COUNTER_LISTED;
}

/* A probe that has loaded the old value of sis__clock_is_tsc reads the counter once more. */
void sis__clock_leave_counter(uint64_t ticks, uint64_t rate)
{
	line.ticks = ticks;
	line.ns = sis__clock_ns(CLOCK_MONOTONIC);
	line.rate = rate;
	__atomic_store_n(&sis__clock_is_tsc, 0, __ATOMIC_RELEASE); /* pairs with sis__clock_slow */
	set_timing();
}

/* Tries several times, and keeps the try whose two readings of ticks are closest: if they are far
 * apart, the thread was interrupted between them. */
void sis__clock_mark(struct sis_time_mark *mark)
{
	uint64_t narrowest = UINT64_MAX;
	for (int try = 0; try < 5; try++) {
		uint64_t before = sis__ticks();
		uint64_t monotonic = sis__clock_ns(CLOCK_MONOTONIC);
		uint64_t after = sis__ticks();
		if (after - before >= narrowest)
			continue;
		narrowest = after - before;
		mark->ticks = before + narrowest / 2;
		mark->monotonic_ns = monotonic;
		mark->realtime_ns = sis__clock_ns(CLOCK_REALTIME);
	}
	if (counts_ns)
		mark->ticks = mark->monotonic_ns;
}

uint64_t sis__clock_rate(const struct sis_time_mark *from, const struct sis_time_mark *to)
{
	uint64_t ns = to->monotonic_ns - from->monotonic_ns;
	if (counts_ns || ns == 0)
		return SIS_NS;
	return sis__share(to->ticks - from->ticks, SIS_NS, ns);
}
