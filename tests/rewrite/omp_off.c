#include <stdio.h>
int main(void)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 5; i++)
		s += i;
	printf("%d\n", s);
	return 0;
}
