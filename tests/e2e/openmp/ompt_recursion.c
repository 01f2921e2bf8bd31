/* Teams within teams that come and go, so that libomp's memory of one is soon another's. */
#include <omp.h>
#include <stdio.h>

static int busy = 1;

static long leaves(int depth)
{
	long sum = 0;
	if (depth == 0)
		return 1;
	if (busy >= 6)
		return leaves(depth - 1) + leaves(depth - 1);
#pragma omp atomic
	busy++;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		sum += leaves(depth - 1);
		if (omp_get_thread_num()) {
#pragma omp atomic
			busy--;
		}
	}
	return sum;
}

int main(void)
{
	omp_set_max_active_levels(100);
	for (int i = 0; i < 30; i++)
		if (leaves(8) != 256)
			return 1;
	puts("as many as there should be");
	return 0;
}
