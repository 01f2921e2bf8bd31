/* flags: -fopenmp -foffload=disable --sis-cr=CR_F,CR_OMP,CR_L -Wno-unused-command-line-argument */
#include <stdio.h>
static int on_host(int x)
{
	for (int i = 0; i < 3; i++)
		x++;
	return x;
}
int main(void)
{
	int s = 0, v[10] = { 0 };
#pragma omp target enter data map(to : s)
#pragma omp target data map(tofrom : v)
	{
		s = on_host(s);
#pragma omp target
		for (int i = 0; i < 10; i++)
			v[i] = i;
#pragma omp target update from(v)
		for (int i = 0; i < 10; i++)
			s += v[i];
#pragma omp parallel for reduction(+ : s)
		for (int i = 0; i < 10; i++)
			s += i;
	}
#pragma omp target exit data map(delete : s)
	printf("%d\n", s);
	return 0;
}
