/* flags: -fopenmp */
#include <stdio.h>
#define PARALLEL(n) _Pragma("omp parallel for reduction(+:s)") for (int i = 0; i < (n); i++)
#define REGION(x) _Pragma("sis cr x begin")
#define CLAUSE reduction(+:s)
int main(void)
{
	int s = 0;
	PARALLEL(10)
		s += i;
_Pragma("omp parallel for reduction(+:s)")
	for (int i = 0; i < 10; i++)
		s += i;
#pragma omp parallel for CLAUSE
	for (int i = 0; i < 10; i++)
		s += i;
	printf("%d\n", s);
	return 0;
}
