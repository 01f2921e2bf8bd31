/* SPDX-License-Identifier: BSD-3-Clause */
/* constructs.c - what measuring costs each construct and call that SIS touches: loops that do
 * nothing else.
 *
 *     constructs                 the rows of constructs.def: KEY, most threads, what it stands for
 *     constructs KEY N THREADS   CPU nanoseconds of the process for each of N operations
 *
 * The program is built plain and with sisc, with nothing configured; the script of this name takes
 * the difference. Of two threads each has objects of its own, unless the row's name ends in
 * `shared`.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <sis/sis.h>

static __attribute__((noinline)) long called(long i) { return i & 1; }

/* what GCC calls for atomic constructs without an instruction, and for ordered ones */
extern void GOMP_atomic_start(void), GOMP_atomic_end(void);
extern void GOMP_ordered_start(void), GOMP_ordered_end(void);

/* of one thread; `shared` rows use those of the first one */
static struct objects {
	omp_lock_t lock, locks[4096];
	omp_nest_lock_t nest_lock;
	pthread_mutex_t mutex;
	mtx_t mtx;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_cond_t condition;
	sem_t semaphore;
	pthread_barrier_t barrier;
	FILE *in, *out;
	volatile long counter;
	char pad[256];
} objects[2];

#define NONE(names, reason)
#define ROW(name, threads, stands_for, ...) \
	static __attribute__((noinline)) void name##_loop(struct objects *o, long n, int me) \
	{ \
		(void)me; \
		for (long i = 0; i < n; i++) { \
			__VA_ARGS__ \
		} \
		o->counter++; \
	}
#include "constructs.def"
#undef ROW

static const struct row {
	const char *key, *stands_for;
	int threads;
	void (*loop)(struct objects *, long, int);
} rows[] = {
#define ROW(name, threads, stands_for, ...) { #name, stands_for, threads, name##_loop },
#undef NONE
#define NONE(names, reason) { "-", names, 0, NULL },
#include "constructs.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void prepare(struct objects *o)
{
	omp_init_lock(&o->lock);
	for (int i = 0; i < 4096; i++)
		omp_init_lock(&o->locks[i]);
	omp_init_nest_lock(&o->nest_lock);
	pthread_mutex_init(&o->mutex, NULL);
	mtx_init(&o->mtx, mtx_plain);
	pthread_rwlock_init(&o->rwlock, NULL);
	pthread_spin_init(&o->spin, PTHREAD_PROCESS_PRIVATE);
	pthread_cond_init(&o->condition, NULL);
	sem_init(&o->semaphore, 0, 0);
	pthread_barrier_init(&o->barrier, NULL, 1);
	o->in = fopen("/dev/zero", "r");
	o->out = fopen("/dev/null", "w");
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		for (int i = 0; i < ROWS; i++)
			printf("%s %d %s\n", rows[i].key, rows[i].threads, rows[i].stands_for);
		return 0;
	}
	long n = atol(argv[2]);
	int threads = atoi(argv[3]);
	const struct row *row = rows;
	while (row < rows + ROWS && strcmp(row->key, argv[1]) != 0)
		row++;
	if (row == rows + ROWS || !row->loop || threads < 1 || threads > 2)
		return 2;
	int shared = strlen(row->key) > 7 && !strcmp(row->key + strlen(row->key) - 6, "shared");
	prepare(&objects[0]);
	prepare(&objects[1]);
	double before = now_ns();
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num();
		row->loop(&objects[shared ? 0 : me], n, me);
	}
	printf("%.2f\n", (now_ns() - before) / (double)n / threads);
	return 0;
}
