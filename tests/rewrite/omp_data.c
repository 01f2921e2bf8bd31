/* flags: -fopenmp */
#include <stdio.h>
static int counter;
#pragma omp threadprivate(counter)
#pragma omp declare reduction(max2 : int : omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = 0)
int main(void)
{
	int s = 0, m = 0, last = 0, first = 5, a[4] = { 0 }, x;
	counter = 2;
#pragma omp parallel default(none) shared(s, m) firstprivate(first) copyin(counter) reduction(+ : a[:4])
	{
		counter += first;
		a[1]++;
#pragma omp for reduction(+ : s) reduction(max2 : m) collapse(2)
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < 4; j++) {
				s += i * j;
				m = i + j > m ? i + j : m;
			}
	}
#pragma omp parallel for lastprivate(last)
	for (int i = 0; i < 7; i++)
		last = i;
#pragma omp parallel private(x)
	{
#pragma omp single copyprivate(x)
		x = 11;
#pragma omp critical (sum)
		s += x == 11;
	}
	printf("%d %d %d %d %d\n", s, m, last, counter, a[1]);
	return 0;
}
