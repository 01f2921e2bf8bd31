/* SPDX-License-Identifier: BSD-3-Clause */
/* stopwatch.c - time and statistics of the programs that `sis-analyze calibrate` runs. This file is
 * never instrumented. The programs have one thread.
 *
 * LIMIT: on x86 the clock is the time-stamp counter. If its rate changes during a run, all times
 * are wrong. */
#include "apart/calibrated/stopwatch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t started_ticks;
static double started_ns;

double stopwatch_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

__attribute__((constructor)) static void start(void)
{
	started_ns = stopwatch_ns(CLOCK_MONOTONIC);
	started_ticks = stopwatch_ticks();
}

double stopwatch_rate(void)
{
	enum { ENOUGH_NS = 2000000 };
	double ns;
	do
		ns = stopwatch_ns(CLOCK_MONOTONIC) - started_ns;
	while (ns < ENOUGH_NS);
	return (double)(stopwatch_ticks() - started_ticks) / ns;
}

long stopwatch_argument(int argc, char **argv, int at, long least)
{
	char *end = NULL;
	errno = 0;
	long value = at < argc ? strtol(argv[at], &end, 10) : -1;
	if (at < argc && end != argv[at] && !*end && !errno && value >= least &&
	    value <= 10000000000)
		return value;
	fprintf(stderr, "%s: argument %d is no number from %ld on; `sis-analyze calibrate` runs "
		"this program\n", argv[0], at, least);
	exit(2);
}

void samples_init(struct samples *samples, size_t n)
{
	samples->n = n;
	samples->ticks = malloc(n * sizeof *samples->ticks);
	if (!samples->ticks) {
		fputs("out of memory; ask for fewer calls\n", stderr);
		exit(1);
	}
	memset(samples->ticks, 1, n * sizeof *samples->ticks);
}

static int compare(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;
	return (*a > *b) - (*a < *b);
}

void samples_print(struct samples *samples, const char *name, uint64_t empty, double rate)
{
	double sum = 0;
	size_t n = samples->n;
	for (size_t i = 0; i < n; i++)
		sum += (double)samples->ticks[i];
	qsort(samples->ticks, n, sizeof *samples->ticks, compare);
	if (n)
		printf("%smean\t%.4f\n%smedian\t%.4f\n", name,
		       (sum / (double)n - (double)empty) / rate, name,
		       ((double)samples->ticks[n / 2] - (double)empty) / rate);
	free(samples->ticks);
}

uint64_t stopwatch_empty(void)
{
	enum { READINGS = 4096 };
	static uint64_t ticks[READINGS];
	for (int i = 0; i < READINGS; i++) {
		uint64_t begin = stopwatch_ticks();
		ticks[i] = stopwatch_ticks() - begin;
	}
	qsort(ticks, READINGS, sizeof *ticks, compare);
	return ticks[READINGS / 2];
}

/* Runs batches of the different calls in turn, so that disturbances of the machine affect all calls
 * alike. */
void calls_measure(const struct calls *calls, size_t count, long n)
{
	enum { BATCHES = 64 };
	static uint64_t batch[16][BATCHES];
	long each = n / BATCHES > 0 ? n / BATCHES : 1;
	for (int b = 0; b < BATCHES; b++) {
		for (size_t i = 0; i < count; i++) {
			uint64_t begin = stopwatch_ticks();
			calls[i].run(each);
			batch[i][b] = stopwatch_ticks() - begin;
		}
	}
	double rate = stopwatch_rate();
	for (size_t i = 0; i < count; i++) {
		uint64_t *kept = batch[i] + BATCHES / 2;
		qsort(kept, BATCHES / 2, sizeof *kept, compare);
		printf("%s\t%.4f\n", calls[i].name,
		       (double)kept[BATCHES / 4] / (double)each / rate);
	}
}
