/* flags: -fopenmp --sis-cr=CR_OMP,CR_L,CR_S */
/* masked and master, alone and combined: a probe stands around the whole construct, none between its loops. */
#include <stdio.h>
static int step(int i) { return i + 1; }
int main(void)
{
	int who = 0, sum = 0, v[8] = {0};
#pragma omp parallel
	{
#pragma omp masked
		who += step(0);
#pragma omp masked filter(1)
		{
			who += 10;
		}
#pragma omp master
		who += 100;
	}
#pragma omp parallel masked num_threads(2)
	sum++;
#pragma omp parallel masked taskloop num_tasks(2)
	for (int i = 0; i < 8; i++)
		v[i] = step(i);
#pragma omp parallel
#pragma omp masked taskloop simd
	for (int i = 0; i < 8; i++)
		v[i]++;
#pragma omp parallel master taskloop collapse(2)
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 4; j++)
			v[4 * i + j] += j;
	printf("%d %d %d %d\n", who, sum, v[0], v[7]);
	return 0;
}
