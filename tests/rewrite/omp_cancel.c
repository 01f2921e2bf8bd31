/* flags: -fopenmp */
#include <stdio.h>
int main(void)
{
	int done = 0;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 100; i++) {
			if (i == 3) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
#pragma omp atomic
			done++;
		}
	}
	printf("%d\n", done > 0);
	return 0;
}
