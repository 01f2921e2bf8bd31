/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c - the monitored method of MooBench: a function that is active for a given time and has
 * one region, which a recursion enters several times. Measured by `sis-analyze calibrate`. One
 * thread.
 *
 *     regions CALLS CALL-NS DEPTH
 *
 * In each call the function waits until the clock shows that CALL-NS are over. The wait, and one
 * reading of the clock, are subtracted from the time of the call. The rest consists of the calls,
 * the probes of DEPTH regions, and the wait's own two readings of the clock. So with the same
 * arguments the plain and the measured program differ by the probes alone. It does not matter if
 * another thread gets the processor during the wait. A call in which the thread lost its processor
 * outside of the wait is left out.
 * LIMIT: if a host takes the processor away from a virtual machine, this is not noticed.
 *
 * Prints mean and median of the second half of the calls. If the program is measured, also prints
 * mean and median of the region's recorded time without the wait (`inside`). Also prints
 *     others     CPU time of the other threads of the process in that half, for each call
 *     seconds    time of all calls, without the time in which the thread was ready and had no
 *                processor
 *     processor seconds     CPU time of all threads in all calls
 */
#include "apart/calibrated/recorded_time.h"
#include "apart/calibrated/stopwatch.h"

#include <stdio.h>
#include <sys/resource.h>

static uint64_t wait_ticks, waited;
static uint64_t gap_ticks; /* readings so far apart are a gap; interrupts are shorter */
static int gap;            /* there was a gap in the wait */

__attribute__((noinline)) static void wait_long(void)
{
	uint64_t begin = stopwatch_ticks(), before = begin, now;
	do {
		now = stopwatch_ticks();
		gap |= now - before > gap_ticks;
		before = now;
	} while (now - begin < wait_ticks);
	waited = now - begin;
}

__attribute__((noinline)) static void method(long depth)
{
#pragma sis cr method begin
	if (depth > 1)
		method(depth - 1);
	else
		wait_long();
#pragma sis end cr
	__asm__ volatile("" ::: "memory");
}

/* Whether the thread lost its processor in a call, outside of the wait. The kernel is asked only
 * after a gap, because asking takes longer than the time that is measured. */
static int was_disturbed(uint64_t ticks)
{
	static long seen;
	struct rusage usage;
	int disturbed;
	if (!gap && ticks <= gap_ticks)
		return 0;
	getrusage(RUSAGE_THREAD, &usage);
	disturbed = ticks > gap_ticks && !gap && usage.ru_nivcsw != seen;
	seen = usage.ru_nivcsw;
	gap = 0;
	return disturbed;
}

static double others_ns(void)
{
	return stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID) - stopwatch_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Makes the calls, and keeps the times of those that were not disturbed. */
static void measure(long calls, long depth, struct samples *outside, struct samples *inside)
{
	unsigned long long recorded = recorded_ticks();
	size_t n = 0;
	for (long i = 0; i < calls; i++) {
		uint64_t begin = stopwatch_ticks();
		method(depth);
		uint64_t ticks = stopwatch_ticks() - begin - waited;
		unsigned long long now = recorded_ticks();
		outside->ticks[n] = ticks;
		inside->ticks[n] = now > recorded + waited ? now - recorded - waited : 0;
		recorded = now;
		n += !was_disturbed(ticks);
	}
	outside->n = inside->n = n;
}

/* The kernel's count of the time in which this thread was ready and had no processor; 0: the kernel
 * has no such count. */
static double delay_ns(void)
{
	unsigned long long run, delay = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");
	if (file && fscanf(file, "%llu %llu", &run, &delay) != 2)
		delay = 0;
	if (file)
		fclose(file);
	return (double)delay;
}

int main(int argc, char **argv)
{
	long calls = stopwatch_argument(argc, argv, 1, 4), depth;
	long call_ns = stopwatch_argument(argc, argv, 2, 0);
	struct samples outside, inside, ignored;
	double rate = stopwatch_rate(), began_ns, began_cpu_ns, before;
	long half = calls / 2;

	depth = stopwatch_argument(argc, argv, 3, 1);
	samples_init(&outside, (size_t)calls);
	samples_init(&inside, (size_t)calls);
	wait_ticks = (uint64_t)((double)call_ns * rate);
	gap_ticks = (uint64_t)(20000 * rate);
	began_ns = stopwatch_ns(CLOCK_MONOTONIC) - delay_ns();
	began_cpu_ns = stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID);
	ignored = outside;
	measure(half, depth, &ignored, &inside);
	before = others_ns();
	measure(calls - half, depth, &outside, &inside);
	printf("others\t%.4f\n", (others_ns() - before) / (double)(calls - half));
	printf("seconds\t%.9f\nprocessor seconds\t%.9f\n",
	       (stopwatch_ns(CLOCK_MONOTONIC) - delay_ns() - began_ns) / 1e9,
	       (stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID) - began_cpu_ns) / 1e9);
	rate = stopwatch_rate();
	samples_print(&outside, "", stopwatch_empty(), rate);
	if (recorded_ticks())
		samples_print(&inside, "inside ", 0, rate);
	return 0;
}
