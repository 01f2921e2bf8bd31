/* flags: -fopenmp */
#include <stdio.h>
int main(void)
{
	int n = 0;
again:
#pragma omp parallel
#pragma omp single
	n++;
	if (n < 3)
		goto again;
	switch (n) {
	case 3:
#pragma sis cr third begin
		puts("three");
#pragma sis end cr
	}
	return 0;
}
