/* SPDX-License-Identifier: BSD-3-Clause */
/* stopwatch.h - the clock, and the results, of the programs that `sis-analyze calibrate` runs. One
 * thread.
 *
 * Each program is compiled twice from the same source: by the compiler alone, and by sisc. It
 * prints its results in lines of KEY, tab, value. Times are nanoseconds. */
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
/* Ticks of a nanosecond, measured from the start of the program until now. */
double stopwatch_rate(void);
/* An argument of the command line that is a number from `least` to 10^10; else the program ends. */
long stopwatch_argument(int argc, char **argv, int at, long least);

/* Ticks between two readings of the clock with nothing between. */
uint64_t stopwatch_empty(void);

struct samples { uint64_t *ticks; size_t n; };
/* Memory for n values, which is touched so that no page fault comes later. */
void samples_init(struct samples *samples, size_t n);
/* Prints `NAME mean` and `NAME median`, each less `empty`, in ns by `rate`. Frees the values. */
void samples_print(struct samples *samples, const char *name, uint64_t empty, double rate);

/* A call that is measured in batches; `run` calls it n times. */
struct calls { const char *name; void (*run)(long n); };
/* Prints `NAME, tab, ns of a call` for each: the median over the batches after the first half. */
void calls_measure(const struct calls *calls, size_t count, long n);

#endif
