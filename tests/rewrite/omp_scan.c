/* flags: -fopenmp --sis-cr=CR_OMP,CR_L,CR_STMT,CR_BLOCK */
#include <stdio.h>
static int in[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[8];
static int twice(int x)
{
	return 2 * x;
}
int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < 8; i++) {
		{
			int more = in[i];
			sum += twice(more);
		}
#pragma omp scan inclusive(sum)
		out[i] = sum;
	}
	for (int i = 0; i < 8; i++)
		printf("%d ", out[i]);
	printf("%d\n", sum);
	return 0;
}
