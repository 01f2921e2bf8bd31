/* flags: -fopenmp */
#include <stdio.h>
int main(void)
{
	int v[8] = { 1 };
#pragma omp parallel for ordered
	for (int i = 0; i < 4; i++) {
#pragma omp ordered
		printf("%d\n", i);
	}
#pragma omp parallel for ordered(1)
	for (int i = 1; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
		v[i] = v[i - 1] * 2;
#pragma omp ordered depend(source)
	}
#pragma omp parallel for simd
	for (int i = 0; i < 8; i++)
		v[i]++;
#pragma omp simd
	for (int i = 0; i < 8; i++)
		v[i]++;
	printf("%d\n", v[7]);
	return 0;
}
