/* flags: -fopenmp --sis-cr=CR_OMP,CR_S,CR_L,CR_STMT */
#include <stdio.h>
int main(void)
{
	int x = 0, v = 0, w = 0;
#pragma omp parallel
	{
#pragma omp atomic
		x++;
#pragma omp barrier
#pragma omp atomic read
		v = x;
#pragma omp atomic capture
		{ w = x; x += 0; }
#pragma omp atomic write
		x = 2;
#pragma omp flush
	}
	printf("%d %d %d\n", x, v, w);
	return 0;
}
