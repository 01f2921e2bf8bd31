/* flags: -fopenmp --sis-cr=CR_OMP,CR_L,CR_BLOCK */
/* doacross loops, collapse, lastprivate(conditional), linear, nontemporal: nothing between the loops of a nest. */
#include <stdio.h>
int main(void)
{
	int v[8][8] = {{0}}, last = 0, step = 0, i, j;
#pragma omp parallel for ordered(2) schedule(static, 1) private(j)
	for (i = 1; i < 8; i++)
		for (j = 1; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			v[i][j] = v[i - 1][j] + v[i][j - 1] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp parallel for lastprivate(conditional : last) order(concurrent)
	for (i = 0; i < 8; i++)
		if (i == 5)
			last = i;
#pragma omp for simd linear(step : 2) collapse(1) schedule(simd : static, 4)
	for (i = 0; i < 8; i++) {
		v[i][0] = step;
		step += 2;
	}
#pragma omp parallel for ordered
	for (i = 0; i < 4; i++) {
#pragma omp ordered threads
		{
			v[0][0] += i;
		}
	}
#pragma omp simd if (simd : 0) nontemporal(v)
	for (i = 0; i < 8; i++) {
		v[i][7]++;
#pragma omp ordered simd
		v[i][6]++;
	}
	printf("%d %d %d %d\n", v[7][7], last, step, v[0][0]);
	return 0;
}
