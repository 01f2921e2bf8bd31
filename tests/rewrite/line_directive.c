/* flags: --sis-cr=CR_F,CR_L,CR_OMP -fopenmp */
#include <stdio.h>
#line 100 "grammar.y"
static int f(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < n; i++)
		s += i;
# 7 "grammar.tab.c"
	printf("%d %s\n", __LINE__, __FILE__);
	return s;
}
int main(void)
{
	printf("%d %d\n", f(4), __LINE__);
	return 0;
}
