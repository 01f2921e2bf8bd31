/* flags: -fopenmp */
#pragma sis cr CR_F pmetric CTIME, VCSW
#include <stdio.h>
static int f(int n)
{
#pragma sis cr pmetric OSYNC_IBAR, TOT_CYC
	int s = 0;
	for (int i = 0; i < n; i++)
		s += i;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
int main(void)
{
	printf("%d\n", f(4));
	return 0;
}
