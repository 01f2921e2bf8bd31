/* Atomics, flushes, critical constructs and locks that no other thread wants: the time is the cost
 * of the operations, not a wait. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 OSYNC_UNCONT - */
/* truth: 0 1 OSYNC_UNCONT - */
/* truth: 0 * OSYNC_IBAR - */
#include <omp.h>
#include "known.h"

enum { TIMES = 2000000 };

static volatile long counter[2][64]; /* one cache line for each thread */

static void exclude(int thread)
{
	for (int i = 0; i < TIMES; i++)
		if (thread == 0)
#pragma omp critical(zero)
			counter[0][0]++;
		else
#pragma omp critical(one)
			counter[1][0]++;
}

static void lock(int thread)
{
	omp_lock_t own;
	omp_init_lock(&own);
	for (int i = 0; i < TIMES; i++) {
		omp_set_lock(&own);
		counter[thread][0]++;
		omp_unset_lock(&own);
	}
	omp_destroy_lock(&own);
}

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		int thread = omp_get_thread_num();
		for (int i = 0; i < TIMES; i++)
#pragma omp atomic
			counter[thread][0]++;
		for (int i = 0; i < TIMES; i++) {
#pragma omp flush
		}
		exclude(thread);
		lock(thread);
	}
	return 0;
}
