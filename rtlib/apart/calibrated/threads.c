/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.c - calls of pthreads and OpenMP that need no other thread. Measured by
 * `sis-analyze calibrate`.
 *
 *     threads CALLS
 */
#include "apart/calibrated/stopwatch.h"

#include <omp.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static omp_lock_t lock;
static long double shared; /* too large for an atomic instruction */

static void mutex_lock(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void read_lock(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
	}
}

static void set_lock(long n)
{
	for (long i = 0; i < n; i++) {
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
}

static void critical(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp critical
		__asm__ volatile("" ::: "memory");
	}
}

static void atomic(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp atomic
		shared += 1;
	}
}

static void barrier(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp barrier
	}
}

static void parallel_one(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(1)
		__asm__ volatile("" ::: "memory");
	}
}

int main(int argc, char **argv)
{
	static const struct calls calls[] = {
		{ "pthread_mutex_lock and unlock", mutex_lock },
		{ "pthread_rwlock_rdlock and unlock", read_lock },
		{ "omp_set_lock and unset", set_lock },
		{ "omp critical", critical },
		{ "omp atomic", atomic },
		{ "omp barrier, one thread", barrier },
		{ "omp parallel, one thread", parallel_one },
	};
	long n = stopwatch_argument(argc, argv, 1, 1);
	omp_init_lock(&lock);
	calls_measure(calls, sizeof calls / sizeof *calls, n);
	omp_destroy_lock(&lock);
	return 0;
}
