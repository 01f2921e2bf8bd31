/* flags: -fopenmp --sis-cr=CR_F,CR_OMP,CR_STMT */
#include <stdio.h>
#pragma omp declare target
static int declared(int x)
{
	return x + 1;
}
#pragma omp end declare target
static int deep(int x)
{
	return x * 2;
}
static int reached(int x)
{
	int (*through)(int) = deep;
	return declared(through(x));
}
static int aliased(void)
{
	return 100;
}
static int alias(void) __attribute__((alias("aliased")));
static int on_host(int x)
{
	x -= 1;
	return x;
}
#pragma omp declare variant(on_host) match(device = {kind(host)})
static int anywhere(int x)
{
	return x - 2;
}
static int only_here(int x)
{
	x += 5;
	return x;
}
int main(void)
{
	int n = 3;
#pragma omp target map(tofrom : n)
	n = reached(n) + anywhere(n) + alias();
	n = only_here(n);
	printf("%d\n", n);
	return 0;
}
