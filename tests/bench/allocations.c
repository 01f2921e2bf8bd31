/* SPDX-License-Identifier: BSD-3-Clause */
/* allocations.c - malloc and free, in pairs. Prints `KEY VALUE`, in nanoseconds of CPU time: `small`
 * of 64 bytes, `large` of 4096, the least of some turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 9, PAIRS = 100000 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

__attribute__((noinline)) static double pair(size_t bytes)
{
	double least = 1e18;
	for (int turn = 0; turn < TURNS; turn++) {
		double from = now();
		for (int i = 0; i < PAIRS; i++) {
			void *volatile block = malloc(bytes);
			free(block);
		}
		double ns = (now() - from) / PAIRS;
		least = ns < least ? ns : least;
	}
	return least;
}

int main(void)
{
	printf("small %.2f\n", pair(64));
	printf("large %.2f\n", pair(4096));
	return 0;
}
