/* flags: -fopenmp */
#include <stdio.h>
struct cell { int a, b; };
int main(void)
{
	struct cell c = { 1, 2 };
	int n = 3, v[n], sum = 0;
#pragma omp parallel for schedule(static, 1) firstprivate(c) shared(v)
	for (int i = 0; i < n; i++) {
		int local = c.a + i;
#pragma omp simd reduction(+ : local)
		for (int j = 0; j < 4; j++)
			local += j;
		v[i] = local;
	}
#pragma omp parallel reduction(+ : sum)
	{
		int mine = 0;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			mine += v[i];
#pragma omp for schedule(guided)
		for (int i = n; i > 0; i--)
			mine += 0;
		sum += mine;
	}
	printf("%d\n", sum);
	return 0;
}
