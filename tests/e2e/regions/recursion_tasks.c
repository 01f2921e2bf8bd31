/* recursion_tasks.c WHAT N - recursion through tasks and through nested teams. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int chain(int n)
{
	int below = 0;
	if (n == 0)
		return 0;
#pragma omp task shared(below) firstprivate(n)
	below = chain(n - 1);
#pragma omp taskwait
	return below + 1;
}
static int fib(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a) firstprivate(n) UNTIED
	a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n) UNTIED
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}
static int teams(int n)
{
	int r = 0;
	if (n == 0)
		return 0;
#pragma omp parallel num_threads(2) reduction(+ : r)
	r += omp_get_thread_num() == 0 ? 1 + teams(n - 1) : 0;
	return r;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[2]), r = 0;
	omp_set_max_active_levels(2);
	if (!strcmp(argv[1], "teams"))
		r = teams(n);
#pragma omp parallel
#pragma omp single
	{
		if (!strcmp(argv[1], "chain"))
			r = chain(n);
		if (!strcmp(argv[1], "fib"))
			r = fib(n);
	}
	printf("%d\n", r);
	return argc < 2;
}
