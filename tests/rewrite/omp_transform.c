/* flags: -fopenmp --sis-cr=CR_OMP,CR_L */
/* tile and unroll, which GCC learns later, and metadirective: what they apply to follows directly. */
#include <stdio.h>
int main(void)
{
	int v[64] = {0};
#pragma omp tile sizes(2, 4)
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 8; j++)
			v[8 * i + j] += i;
#pragma omp parallel for
#pragma omp unroll partial(2)
	for (int i = 0; i < 64; i++)
		v[i]++;
#pragma omp metadirective when(user = {condition(1)} : parallel for) default(simd)
	for (int i = 0; i < 64; i++)
		v[i]++;
	printf("%d %d\n", v[0], v[63]);
	return 0;
}
