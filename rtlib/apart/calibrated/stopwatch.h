/* SPDX-License-Identifier: BSD-3-Clause */
/* stopwatch.h - the clock, and the results, of the programs that `sis-analyze calibrate` runs. The
 * programs have one thread.
 *
 * Each program is compiled twice from the same source: by the compiler alone, and by sisc. A
 * program prints each result as a line: key, tab, value. Times are in nanoseconds. */
#ifndef SIS_CALIBRATED_STOPWATCH_H
#define SIS_CALIBRATED_STOPWATCH_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#if defined __x86_64__ || defined __i386__
static inline uint64_t stopwatch_ticks(void) { return __builtin_ia32_rdtsc(); }
#else
static inline uint64_t stopwatch_ticks(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
#endif

double stopwatch_ns(clockid_t clock);
/* The ticks per nanosecond, measured from the start of the program until now. */
double stopwatch_rate(void);
/* Argument `at` of the command line. Unless it is a number from `least` to 10^10, the program ends.
 */
long stopwatch_argument(int argc, char **argv, int at, long least);

/* The ticks between two successive readings of the clock. */
uint64_t stopwatch_empty(void);

struct samples { uint64_t *ticks; size_t n; };
/* Makes memory for n values, and touches it, so that there are no page faults later. */
void samples_init(struct samples *samples, size_t n);
/* Prints `NAME mean` and `NAME median` in ns, computed by `rate`, after subtracting `empty`. Frees
 * the values. */
void samples_print(struct samples *samples, const char *name, uint64_t empty, double rate);

/* A call that is measured in batches; `run` makes the call n times. */
struct calls { const char *name; void (*run)(long n); };
/* Prints a line `NAME, tab, ns` for each call: ns is the median of the batches in the second half.
 */
void calls_measure(const struct calls *calls, size_t count, long n);

#endif
