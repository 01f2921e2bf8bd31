/* flags: -fopenmp --sis-cr=CR_F,CR_STMT */
#include <stdio.h>
static int teams(void)
{
	return 2;
}
static int twice(void)
{
	return 2 * teams();
}
static int on_host(void)
{
	return 1;
}
static int unread(void)
{
	int n = 0;
#pragma omp target map(n)
#pragma omp teams num_teams(twice() - 1 : twice())
	{
#pragma omp parallel
#pragma omp single
		n = 3;
	}
	return n;
}
int main(void)
{
	printf("%d %d\n", unread(), on_host());
	return 0;
}
