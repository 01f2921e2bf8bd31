/* SPDX-License-Identifier: BSD-3-Clause */
/* agreement.c - a program that knows how long its functions take: for each thread it prints the
 * seconds of CPU time in part() and in rest(). It works in rounds of 4 ms of CPU time, as long as
 * the mean time between two samples of call stacks, so periods of a fixed length would see part()
 * too often or too seldom. Each thread and each process has another share. With MPI each round ends
 * with a barrier.
 *
 *   agreement [THREADS]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { ROUNDS = 125, MOST_THREADS = 16 };
#define ROUND_SECONDS 4e-3

static int rank;
static struct { double part_seconds, rest_seconds; } spent[MOST_THREADS];

static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void spin(double until)
{
	volatile double sum = 0;
	do {
		for (int i = 1; i <= 10000; i++)
			sum += 1 / (double)i;
	} while (cpu_seconds() < until);
}

/* What follows the call keeps it from being a jump, after which the function is in no stack. */
#define STAY() __asm__ volatile("")
__attribute__((noinline)) static void part(double until)
{
	spin(until);
	STAY();
}

__attribute__((noinline)) static void rest(double until)
{
	spin(until);
	STAY();
}

static void *work(void *number)
{
	long me = (long)number;
	double share = 0.3 + 0.2 * (double)(me + rank), end = cpu_seconds();
	for (int i = 0; i < ROUNDS; i++) {
		double began = cpu_seconds();
		end += ROUND_SECONDS;
		part(end - (1 - share) * ROUND_SECONDS);
		double between = cpu_seconds();
		rest(end);
		spent[me].part_seconds += between - began;
		spent[me].rest_seconds += cpu_seconds() - between;
#ifdef WITH_MPI
		MPI_Barrier(MPI_COMM_WORLD);
		end = cpu_seconds();
#endif
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? atol(argv[1]) : 1;
	pthread_t thread[MOST_THREADS];
	if (threads < 1 || threads > MOST_THREADS)
		return 2;
#ifdef WITH_MPI
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
	for (long i = 1; i < threads; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	work(0);
	for (long i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	for (long i = 0; i < threads; i++)
		printf("%.9f %.9f\n", spent[i].part_seconds, spent[i].rest_seconds);
#ifdef WITH_MPI
	MPI_Finalize();
#endif
	return 0;
}
