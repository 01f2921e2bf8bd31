/* SPDX-License-Identifier: BSD-3-Clause */
/* steady_counter.c - see steady_counter.h. Called by the thread that starts the process; the
 * functions of readings by any thread.
 *
 * A kernel that lists tsc among its clock sources has tested the counter, and goes on watching it.
 * Kernels of virtual machines often list only a clock of the host, although the processor says that
 * its counter is steady. Then the process tests the counter. For this, the thread runs on each
 * processor of the process in turn, reads both clocks there, and returns to the first processor:
 *
 *     ns |            x <- the first processor again
 *        |        x      <- others: on the line, or off
 *        |    x
 *        | x <- the first processor
 *        +------------------ ticks
 *
 * LIMIT: the visits end after MOST_NS. In a process with many processors, some are not tested.
 */
#include "base/steady_counter.h"
#include "base/kernel_clock.h"
#include "base/read_text.h"
#include "base/runtime.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	MOST_NS = 5000000,
	VISITS = 64,          /* processors at most */
	MASK_BITS = 8192,
	UNNOTICED_NS = 1000,  /* a difference that is allowed, because a message takes longer */
	PART = 5000,          /* the rate may be wrong by one part in 5000 */
	JUMP_NS = 50000,
};

/* Tries several times, and keeps the try whose two readings of ticks are closest: if they are far
 * apart, the thread was interrupted between them. */
void sis__reading_take(struct sis_reading *reading)
{
	uint64_t narrowest = UINT64_MAX;
	for (int try = 0; try < 5; try++) {
		uint64_t before = sis__tsc();
		uint64_t ns = sis__clock_ns(CLOCK_MONOTONIC_RAW);
		uint64_t width = sis__tsc() - before;
		if (width >= narrowest)
			continue;
		narrowest = width;
		*reading = (struct sis_reading){ before + width / 2, ns, width };
	}
}

/* The rate between two readings, in ticks per nanosecond. */
static double rate_of(const struct sis_reading *first, const struct sis_reading *last)
{
	return (double)(int64_t)(last->ticks - first->ticks) / (double)(last->ns - first->ns);
}

static double off_line(const struct sis_reading *from, double rate, const struct sis_reading *at)
{
	return (double)(int64_t)(at->ticks - from->ticks) / rate - (double)(at->ns - from->ns);
}

static double size(double number) { return number < 0 ? -number : number; }

int64_t sis__reading_off(const struct sis_reading *first, const struct sis_reading *last,
			 const struct sis_reading *now)
{
	if (last->ns <= first->ns || now->ns <= last->ns)
		return 0;
	double rate = rate_of(first, last), off = off_line(last, rate, now);
	double passed = (double)(now->ns - last->ns), span = (double)(last->ns - first->ns);
	double width = (double)(first->width + last->width + now->width) / rate;
	double most = JUMP_NS + passed / PART + width * (1 + passed / span);
	return size(off) > most ? (int64_t)off : 0;
}

int64_t sis__readings_differ(const struct sis_reading *reading, unsigned count)
{
	const struct sis_reading *first = reading, *last = &reading[count - 1];
	double rate = rate_of(first, last);
	int64_t most = 0;
	if (last->ns <= first->ns)
		return 0;
	if (rate <= 0)
		return (int64_t)(last->ns - first->ns);
	for (const struct sis_reading *at = first + 1; at < last; at++) {
		double off = off_line(first, rate, at);
		double width = (double)(first->width + last->width + at->width) / rate;
		if (size(off) > UNNOTICED_NS + width && size(off) > size((double)most))
			most = (int64_t)off;
	}
	return most;
}

/* -- testing the counters of all processors, when the process starts --------------------------- */

#if defined __x86_64__ || defined __i386__

enum { WORD = 8 * sizeof(unsigned long), WORDS = MASK_BITS / WORD };

static bool move_to(unsigned processor)
{
	unsigned long mask[WORDS] = { 0 };
	mask[processor / WORD] = 1ul << processor % WORD;
	return syscall(SYS_sched_setaffinity, 0, sizeof mask, mask) == 0;
}

/* Returns the number of readings. The first and the last one are of the same processor. */
static unsigned visit_processors(struct sis_reading reading[VISITS + 1])
{
	unsigned long allowed[WORDS] = { 0 };
	unsigned count = 0, first = 0;
	long bytes = syscall(SYS_sched_getaffinity, 0, sizeof allowed, allowed);
	for (unsigned n = 0; bytes > 0 && n < MASK_BITS && count < VISITS; n++) {
		if (!(allowed[n / WORD] >> n % WORD & 1) || !move_to(n))
			continue;
		first = count ? first : n;
		sis__reading_take(&reading[count++]);
		if (reading[count - 1].ns - reading[0].ns > MOST_NS)
			break;
	}
	if (count && move_to(first))
		sis__reading_take(&reading[count++]);
	if (bytes > 0)
		syscall(SYS_sched_setaffinity, 0, (size_t)bytes, allowed);
	return count;
}

static bool has_all(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strstr(text, *words))
			return false;
	return true;
}

void sis__counter_test(struct sis_counter_test *test)
{
	struct sis_reading reading[VISITS + 1];
	char sources[256];
	*test = (struct sis_counter_test){ .result = SIS_COUNTER_NONE };
	if (!has_all(sis__processor_text(),
		     (const char *const[]){ " constant_tsc", " nonstop_tsc", NULL }))
		return;
	sis__read_file("/sys/devices/system/clocksource/clocksource0/available_clocksource",
		       sources, sizeof sources);
	test->result = SIS_COUNTER_LISTED;
	if (has_all(sources, (const char *const[]){ "tsc", NULL }))
		return;
	unsigned count = visit_processors(reading);
	test->result = SIS_COUNTER_DIFFERS;
	if (count < 2)
		return;
	test->processors = count - 1;
	test->off_ns = sis__readings_differ(reading, count);
	if (test->off_ns == 0)
		test->result = SIS_COUNTER_TESTED;
}

#else

void sis__counter_test(struct sis_counter_test *test)
{
	*test = (struct sis_counter_test){ .result = SIS_COUNTER_NONE };
}

#endif
