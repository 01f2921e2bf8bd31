/* flags: -fopenmp -foffload=disable -Wno-unused-command-line-argument */
#include <stdio.h>
int main(void)
{
	int s = 0, v[10];
#pragma omp target map(from : v)
	for (int i = 0; i < 10; i++)
		v[i] = i;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : v)
	for (int i = 0; i < 10; i++)
		s += v[i];
	printf("%d\n", s);
	return 0;
}
