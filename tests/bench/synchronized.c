/* SPDX-License-Identifier: BSD-3-Clause */
/* synchronized.c - programs that spend 40 to 60 % of their time in locks, critical constructs,
 * tasks, or messages of 8 bytes: `synchronized KIND` prints CPU nanoseconds of the process for each
 * operation. Compiled with -DBARE they do the same work without these operations, which shows how
 * much of the time the operations take. Compiled with -DMESSAGES it is a program of MPI.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef MESSAGES
#include <mpi.h>
#endif
#include <omp.h>

#ifdef BARE
#define UNLESS_BARE(...)
#else
#define UNLESS_BARE(...) __VA_ARGS__
#endif

enum { BUCKETS = 4096, TIMES = 20000000 };

static struct bucket { omp_lock_t lock; unsigned long count, sum; } buckets[BUCKETS];
static unsigned long total;

static inline unsigned long mix(unsigned long x, int steps)
{
	for (int i = 0; i < steps; i++)
		x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ul;
	return x;
}

/* A table that threads fill, with a lock for each bucket. */
static void locks(void)
{
	for (int i = 0; i < BUCKETS; i++)
		omp_init_lock(&buckets[i].lock);
#pragma omp parallel num_threads(2)
	{
		unsigned long x = 1 + (unsigned long)omp_get_thread_num();
		for (int i = 0; i < TIMES / 2; i++) {
			x = mix(x + (unsigned long)i, 6);
			struct bucket *bucket = &buckets[x % BUCKETS];
			UNLESS_BARE(omp_set_lock(&bucket->lock);)
			bucket->count++;
			bucket->sum += x;
			UNLESS_BARE(omp_unset_lock(&bucket->lock);)
		}
	}
}

/* A sum that one thread adds to now and then, where it might be several. */
static void critical(void)
{
	unsigned long x = 1;
	for (int i = 0; i < TIMES; i++) {
		x = mix(x + (unsigned long)i, 3);
#ifndef BARE
#pragma omp critical
#endif
		total += x;
	}
}

static void tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < TIMES / 16; i++) {
#ifndef BARE
#pragma omp task firstprivate(i)
#endif
		{
			unsigned long x = mix((unsigned long)i, 150);
#pragma omp atomic
			total += x;
		}
	}
}

#ifdef MESSAGES
/* Two ranks exchange a number. */
static void messages(void)
{
	unsigned long x = 1, other = 0;
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < TIMES / 16; i++) {
		x = mix(x + (unsigned long)i, 150);
		UNLESS_BARE(MPI_Sendrecv(&x, 8, MPI_BYTE, 1 - rank, 0, &other, 8, MPI_BYTE,
					 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);)
		total += x + other;
	}
}
#endif

static const struct kind { const char *name; void (*run)(void); int operations; } kinds[] = {
	{ "locks", locks, TIMES },
	{ "critical", critical, TIMES },
	{ "tasks", tasks, TIMES / 16 },
#ifdef MESSAGES
	{ "messages", messages, TIMES / 16 },
#endif
};

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	const struct kind *kind = kinds, *end = kinds + sizeof kinds / sizeof kinds[0];
	int rank = 0;
#ifdef MESSAGES
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
	while (kind < end && (argc < 2 || strcmp(kind->name, argv[1]) != 0))
		kind++;
	if (kind == end)
		return 2;
	double start = now_ns();
	kind->run();
	double ns = (now_ns() - start) / kind->operations;
	if (rank == 0)
		printf("%.2f\n", ns);
#ifdef MESSAGES
	MPI_Finalize();
#endif
	return total == 1;
}
