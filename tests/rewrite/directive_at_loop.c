/* flags: -fopenmp -Wno-unknown-pragmas */
#include <stdio.h>
int main(void)
{
	int s = 0;
#pragma sis cr whole begin
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 10; i++) {
#pragma sis cr iteration begin
		s += i;
#pragma sis end cr
	}
#pragma sis end cr
	printf("%d\n", s);
	return 0;
}
