/* flags: -fopenmp */
#include <stdio.h>
int main(void)
{
	int sum = 0, n = 4;
#pragma sis cr CR_L, CR_OMP, CR_A if(n > 3) begin
#pragma omp parallel default(none) shared(sum) firstprivate(n)
	{
#pragma omp for reduction(+ : sum)
		for (int i = 0; i < n; i++) {
			for (int k = 0; k < 3; k++)
				sum += k;
#pragma sis cr inner if(i) begin
			sum++;
#pragma sis end cr
		}
#pragma omp single
		{
#pragma omp task default(none) firstprivate(n) shared(sum)
			while (n > 0)
				sum += n--;
		}
	}
#pragma sis end cr
	printf("%d\n", sum);
	return 0;
}
