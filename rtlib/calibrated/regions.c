/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c - the monitored method of MooBench: a function that is active for a given time and has
 * one region, which a recursion enters several times. Measured by `sis-analyze calibrate`. One
 * thread.
 *
 *     regions CALLS CALL-NS DEPTH
 *
 * The time of a call is what it takes beyond the wait of CALL-NS, which ends by the clock: so it is
 * what the probes of DEPTH regions, the calls and four clock readings take. Others that have the
 * processor during the wait do not disturb it. With the same arguments the plain and the measured
 * program differ by the probes alone.
 *
 * Prints mean, median and quartiles of the second half of the calls, and for that half
 *     inside     what the region's recorded time has beyond the wait
 *     others     CPU time of the other threads of the process, for each call
 *     seconds    of all calls
 */
#include "calibrated/recorded_time.h"
#include "calibrated/stopwatch.h"

#include <stdio.h>

static uint64_t wait_ticks, waited;

__attribute__((noinline)) static void wait_long(void)
{
	uint64_t begin = stopwatch_ticks(), now;
	do
		now = stopwatch_ticks();
	while (now - begin < wait_ticks);
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

struct half { double process_ns, thread_ns, recorded, waited; };

static struct half half_now(double all_waited)
{
	return (struct half){
		.process_ns = stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID),
		.thread_ns = stopwatch_ns(CLOCK_THREAD_CPUTIME_ID),
		.recorded = (double)recorded_ticks(), .waited = all_waited,
	};
}

static void print_half(const struct half *from, const struct half *to, double calls, double rate)
{
	double others = (to->process_ns - from->process_ns) - (to->thread_ns - from->thread_ns);
	double inside = (to->recorded - from->recorded) - (to->waited - from->waited);
	printf("others\t%.4f\n", others > 0 ? others / calls : 0);
	if (to->recorded > from->recorded)
		printf("inside\t%.4f\n", inside / calls / rate);
}

int main(int argc, char **argv)
{
	long calls = stopwatch_argument(argc, argv, 1, 2), depth;
	long call_ns = stopwatch_argument(argc, argv, 2, 0);
	struct samples samples;
	struct half from = { 0 };
	double all_waited = 0;

	depth = stopwatch_argument(argc, argv, 3, 1);
	samples_init(&samples, (size_t)calls);
	wait_ticks = (uint64_t)((double)call_ns * stopwatch_rate());
	double began_ns = stopwatch_ns(CLOCK_MONOTONIC);
	for (long i = 0; i < calls; i++) {
		if (i == calls / 2)
			from = half_now(all_waited);
		uint64_t begin = stopwatch_ticks();
		method(depth);
		samples.ticks[i] = stopwatch_ticks() - begin - waited;
		all_waited += (double)waited;
	}
	double seconds = (stopwatch_ns(CLOCK_MONOTONIC) - began_ns) / 1e9, rate = stopwatch_rate();
	struct half to = half_now(all_waited);
	print_half(&from, &to, (double)(calls - calls / 2), rate);
	printf("seconds\t%.9f\n", seconds);
	samples_print(&samples, rate);
	return 0;
}
