/* pair.c - what one enter/leave pair costs, in nanoseconds of thread CPU time, and the clock reads
 * that are its floor. Prints `KEY VALUE` lines: medians of interleaved repetitions.
 *
 *     pair ITERATIONS [few|folded]
 *         few     only the plain pair, for peers that write every event down
 *         folded  that pair, and recursion deeper than SIS_RECURSION
 *
 * The same file is built for each tool: sisc sees the pragmas; -DPEER_LTTNG and -DPEER_LIKWID have
 * two calls at the same places; -DPEER_FUNCTION calls a function in each iteration, which -pg
 * instruments, and subtracts what the call alone costs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#ifdef PEER_LTTNG
#include "lttng_pair.h"
#define PEER_BEGIN tracepoint(sis_bench, enter, 1);
#define PEER_END tracepoint(sis_bench, leave, 1);
#elif defined PEER_LIKWID
#include <likwid.h>
#define PEER_BEGIN LIKWID_MARKER_START("pair");
#define PEER_END LIKWID_MARKER_STOP("pair");
#else
#define PEER_BEGIN
#define PEER_END
#endif
#ifdef PEER_FUNCTION
#define PLAIN __attribute__((no_instrument_function))
#else
#define PLAIN
#endif

enum { REPETITIONS = 9, SIBLINGS = 20, DEPTH = 64, FOLDED_DEPTH = 2048 };
#define BODY __asm__ volatile("" ::: "memory")

/* n times a body between two clock reads, which is the floor of a timed region. */
#define FLOOR(n, body) \
	do { \
		uint64_t sum = 0; \
		for (long i = 0; i < (n); i++) { \
			uint64_t start = __rdtsc(); \
			body; \
			sum += __rdtsc() - start; \
		} \
		sink = sum; \
	} while (0)

/* One level of a recursion, above the level that `next` is. */
#define LEVEL(next) \
	do { \
		if (depth > 1) \
			below = next(depth - 1); \
		BODY; \
	} while (0)

static volatile uint64_t sink;

PLAIN static double clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#ifdef PEER_FUNCTION
__attribute__((noinline)) static void instrumented(void) { BODY; }
__attribute__((noinline)) PLAIN static void not_instrumented(void) { BODY; }

PLAIN static void pair(long n)
{
	for (long i = 0; i < n; i++)
		instrumented();
}

PLAIN static void empty(long n)
{
	for (long i = 0; i < n; i++)
		not_instrumented();
}
#else
PLAIN static void pair(long n)
{
	for (long i = 0; i < n; i++) {
#pragma sis cr pair begin
		PEER_BEGIN
		BODY;
		PEER_END
#pragma sis end cr
	}
}

PLAIN static void empty(long n)
{
	for (long i = 0; i < n; i++)
		BODY;
}
#endif

PLAIN static void clock_once(long n)
{
	uint64_t sum = 0;
	for (long i = 0; i < n; i++) {
		sum += __rdtsc();
		BODY;
	}
	sink = sum;
}

PLAIN static void clock_twice(long n) { FLOOR(n, BODY); }

/* The same with the clock of the kernel. */
PLAIN static void kernel_twice(long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++) {
		double start = clock_ns(CLOCK_MONOTONIC);
		BODY;
		sum += clock_ns(CLOCK_MONOTONIC) - start;
	}
	sink += (uint64_t)sum;
}

/* A body of some 66 ns: a chain of multiplications. Each needs the result of the one before, also
 * across bodies. choose_steps() finds how many of them take 66 ns on this machine. */
static long steps = 1;
static __thread uint64_t worked;
static inline void work(void)
{
	for (long i = 0; i < steps; i++)
		__asm__ volatile("imul %0, %0" : "+r"(worked));
}

static void body(long n)
{
	for (long i = 0; i < n; i++)
		work();
}

static void body_floor(long n) { FLOOR(n, work()); }

static void body_pair(long n)
{
	for (long i = 0; i < n; i++) {
#pragma sis cr body begin
		work();
#pragma sis end cr
	}
}

static void siblings(long n)
{
	for (long i = 0; i < n / SIBLINGS; i++) {
#pragma sis cr s1 begin
		BODY;
#pragma sis end cr
#pragma sis cr s2 begin
		BODY;
#pragma sis end cr
#pragma sis cr s3 begin
		BODY;
#pragma sis end cr
#pragma sis cr s4 begin
		BODY;
#pragma sis end cr
#pragma sis cr s5 begin
		BODY;
#pragma sis end cr
#pragma sis cr s6 begin
		BODY;
#pragma sis end cr
#pragma sis cr s7 begin
		BODY;
#pragma sis end cr
#pragma sis cr s8 begin
		BODY;
#pragma sis end cr
#pragma sis cr s9 begin
		BODY;
#pragma sis end cr
#pragma sis cr s10 begin
		BODY;
#pragma sis end cr
#pragma sis cr s11 begin
		BODY;
#pragma sis end cr
#pragma sis cr s12 begin
		BODY;
#pragma sis end cr
#pragma sis cr s13 begin
		BODY;
#pragma sis end cr
#pragma sis cr s14 begin
		BODY;
#pragma sis end cr
#pragma sis cr s15 begin
		BODY;
#pragma sis end cr
#pragma sis cr s16 begin
		BODY;
#pragma sis end cr
#pragma sis cr s17 begin
		BODY;
#pragma sis end cr
#pragma sis cr s18 begin
		BODY;
#pragma sis end cr
#pragma sis cr s19 begin
		BODY;
#pragma sis end cr
#pragma sis cr s20 begin
		BODY;
#pragma sis end cr
	}
}

__attribute__((noinline)) static int descend(int depth)
{
	int below = 0;
#pragma sis cr deep begin
	LEVEL(descend);
#pragma sis end cr
	return below + 1;
}

__attribute__((noinline)) static int descend_timed(int depth, uint64_t *sum)
{
	uint64_t start = __rdtsc();
	int below = 0;
	if (depth > 1)
		below = descend_timed(depth - 1, sum);
	BODY;
	*sum += __rdtsc() - start;
	return below + 1;
}

static void recursion(long n)
{
	for (long i = 0; i < n / DEPTH; i++)
		sink += (uint64_t)descend(DEPTH);
}

static void recursion_floor(long n)
{
	uint64_t sum = 0;
	for (long i = 0; i < n / DEPTH; i++)
		descend_timed(DEPTH, &sum);
	sink = sum;
}

/* Nearly all of these activations are folded. */
static void folded(long n)
{
	for (long i = 0; i < n / FOLDED_DEPTH; i++)
		sink += (uint64_t)descend(FOLDED_DEPTH);
}

/* The same without a region. */
__attribute__((noinline)) static int descend_bare(int depth)
{
	int below = 0;
	LEVEL(descend_bare);
	return below + 1;
}

static void folded_bare(long n)
{
	for (long i = 0; i < n / FOLDED_DEPTH; i++)
		sink += (uint64_t)descend_bare(FOLDED_DEPTH);
}

static int second(int depth);
__attribute__((noinline)) static int first(int depth)
{
	int below = 0;
#pragma sis cr first begin
	LEVEL(second);
#pragma sis end cr
	return below + 1;
}

__attribute__((noinline)) static int second(int depth)
{
	int below = 0;
#pragma sis cr second begin
	LEVEL(first);
#pragma sis end cr
	return below + 1;
}

/* Each second one is. */
static void folded_pairs(long n)
{
	for (long i = 0; i < n / FOLDED_DEPTH; i++)
		sink += (uint64_t)first(FOLDED_DEPTH);
}

struct kernel {
	const char *key;
	void (*run)(long n);
	double ns[REPETITIONS], ns_two[REPETITIONS]; /* an iteration's; with two threads at once */
	double wall[REPETITIONS];                    /* with all that the thread waits for */
};
static struct kernel kernels[] = {
	{ .key = "empty", .run = empty },
	{ .key = "tsc", .run = clock_once },
	{ .key = "floor", .run = clock_twice },
	{ .key = "kernel_floor", .run = kernel_twice },
	{ .key = "pair", .run = pair },
	{ .key = "siblings", .run = siblings },
	{ .key = "recursion", .run = recursion },
	{ .key = "recursion_floor", .run = recursion_floor },
	{ .key = "body", .run = body },
	{ .key = "body_floor", .run = body_floor },
	{ .key = "body_pair", .run = body_pair },
	{ .key = "pair", .run = pair },
	{ .key = "folded", .run = folded },
	{ .key = "folded_bare", .run = folded_bare },
	{ .key = "folded_pairs", .run = folded_pairs },
};
enum { KERNELS = sizeof kernels / sizeof *kernels, FEW = 5, FOLDED = 4, ALL = KERNELS - FOLDED };

static double measure(const struct kernel *kernel, long n, clockid_t clock)
{
	double start = clock_ns(clock);
	kernel->run(n);
	return (clock_ns(clock) - start) / (double)n;
}

static void choose_steps(void)
{
	const struct kernel kernel = {.run = body};
	measure(&kernel, 100000, CLOCK_THREAD_CPUTIME_ID);
	steps = 100;
	steps = (long)(66 * 100 / measure(&kernel, 100000, CLOCK_THREAD_CPUTIME_ID));
}

struct job {
	const struct kernel *kernel;
	long n;
	pthread_barrier_t *barrier;
	double ns;
};

static void *thread_main(void *argument)
{
	struct job *job = argument;
	job->kernel->run(DEPTH); /* the thread's first activation is none of the loop's business */
	pthread_barrier_wait(job->barrier);
	job->ns = measure(job->kernel, job->n, CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

/* Two threads at once: the slower one's. */
static double measure_two(const struct kernel *kernel, long n)
{
	pthread_barrier_t barrier;
	pthread_t thread;
	pthread_barrier_init(&barrier, NULL, 2);
	struct job mine = {kernel, n, &barrier, 0}, other = mine;
	if (pthread_create(&thread, NULL, thread_main, &other))
		exit(1);
	thread_main(&mine);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
	return mine.ns > other.ns ? mine.ns : other.ns;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, REPETITIONS, sizeof *values, compare);
	return values[REPETITIONS / 2];
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1000000;
	const char *which = argc > 2 ? argv[2] : "";
	int begin = !strcmp(which, "folded") ? ALL : 0;
	int end = begin ? KERNELS : !strcmp(which, "few") ? FEW : ALL;
#ifdef PEER_LIKWID
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_THREADINIT;
#endif
	choose_steps();
	for (int r = -1; r < REPETITIONS; r++) { /* the first one warms up */
		for (int k = begin; k < end; k++) {
			kernels[k].ns[r < 0 ? 0 : r] = measure(&kernels[k], n,
							       CLOCK_THREAD_CPUTIME_ID);
			kernels[k].wall[r < 0 ? 0 : r] = measure(&kernels[k], n, CLOCK_MONOTONIC);
			kernels[k].ns_two[r < 0 ? 0 : r] = measure_two(&kernels[k], n);
		}
	}
	for (int k = begin; k < end; k++) {
		printf("%s %.3f\n", kernels[k].key, median(kernels[k].ns));
		printf("%s_two %.3f\n", kernels[k].key, median(kernels[k].ns_two));
		printf("%s_wall %.3f\n", kernels[k].key, median(kernels[k].wall));
	}
#ifdef PEER_LIKWID
	LIKWID_MARKER_CLOSE;
#endif
	return 0;
}
