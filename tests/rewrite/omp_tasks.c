/* flags: -fopenmp */
#include <stdio.h>
static int fib(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a) if(n > 5) final(n < 3) mergeable
	a = fib(n - 1);
#pragma omp task shared(b) untied
	{
		b = fib(n - 2);
	}
#pragma omp taskwait
	return a + b;
}
int main(void)
{
	int r = 0, d = 0, s = 0;
#pragma omp parallel
#pragma omp single
	{
		r = fib(10);
#pragma omp taskgroup
		{
#pragma omp task depend(out : d)
			d = 1;
#pragma omp task depend(in : d) priority(2)
			d += 1;
		}
#pragma omp taskloop grainsize(2)
		for (int i = 0; i < 8; i++)
#pragma omp atomic
			s += i;
#pragma omp taskyield
	}
	printf("%d %d %d\n", r, d, s);
	return 0;
}
