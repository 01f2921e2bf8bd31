/* flags: -fopenmp --sis-cr=CR_OMP,CR_STMT,CR_BLOCK */
/* atomic: its statement or block is exactly what the grammar allows, so nothing may stand inside. */
#include <stdio.h>
int main(void)
{
	int x = 1, v = 0, r = 0, e = 3;
#pragma omp atomic capture
	{
		v = x;
		x += 2;
	}
#pragma omp atomic capture seq_cst
	v = x++;
#pragma omp atomic update hint(0) relaxed
	x = x * 2;
#pragma omp atomic compare
	if (x == e) {
		x = 10;
	}
#pragma omp atomic compare
	x = x > 5 ? 5 : x;
#pragma omp atomic compare capture fail(relaxed)
	{
		v = x;
		if (x == 5) {
			x = 6;
		}
	}
#pragma omp atomic compare capture acq_rel
	{
		r = x == 6;
		if (r) {
			x = 7;
		}
	}
	if (x)
#pragma omp atomic read
		v = x;
	printf("%d %d %d\n", x, v, r);
	return 0;
}
