/* flags: -fopenmp */
#include <stdio.h>
static int total;
static void orphaned(int n)
{
#pragma omp for nowait schedule(dynamic, 2)
	for (int i = 0; i < n; i++)
#pragma omp atomic
		total += i;
#pragma omp sections
	{
#pragma omp section
		{
#pragma omp atomic
			total++;
		}
#pragma omp section
#pragma omp atomic
		total++;
	}
#pragma omp single nowait
	total += 100;
#pragma omp barrier
}
int main(void)
{
#pragma omp parallel num_threads(2)
	orphaned(10);
	orphaned(3);
#pragma omp parallel sections
	{
		total++;
#pragma omp section
		{ ; }
	}
#pragma omp parallel if(0)
	{
#pragma omp parallel
#pragma omp masked
		total++;
	}
	printf("%d\n", total > 200);
	return 0;
}
