/* flags: -fopenmp --sis-cr=CR_OMP,CR_IF */
/* scope, and loop, in which no call of the runtime may stand. */
#include <stdio.h>
int main(void)
{
	int n = 0, even = 0, v[16], x = 3, i;
#pragma omp parallel num_threads(2)
	{
#pragma omp scope reduction(+ : n)
		n++;
#pragma omp scope private(x) nowait
		{
			x = 1;
			if (x)
#pragma omp atomic
				even += 2;
		}
#pragma omp loop bind(parallel)
		for (int i = 0; i < 16; i++)
			if (i % 2)
				v[i] = i;
			else
				v[i] = 0;
	}
#pragma omp parallel loop lastprivate(i)
	for (i = 0; i < 16; i++)
		v[i]++;
#pragma omp loop bind(thread) order(concurrent) collapse(2)
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			v[4 * i + j]++;
	printf("%d %d %d %d\n", n, even, v[15], i);
	return 0;
}
