/* flags: -fopenmp --sis-cr=CR_F,CR_S,CR_OMP */
/* Directives that declare: what follows them must follow them directly. */
#include <stdio.h>
#pragma omp requires dynamic_allocators
int fast(int i);
#pragma omp declare variant(fast) match(construct = {parallel})
int work(int i)
{
	return i + 1;
}
int fast(int i)
{
	return i + 1;
}
#pragma omp declare simd uniform(k) notinbranch
#pragma omp declare simd
static int scale(int i, int k)
{
	return i * k;
}
static int total;
#pragma omp threadprivate(total)
int main(void)
{
	int v[8], sum = 0;
#pragma omp declare reduction(longest : int : omp_out = omp_out > omp_in ? omp_out : omp_in)
#pragma omp parallel for reduction(longest : sum) copyin(total)
	for (int i = 0; i < 8; i++) {
		v[i] = scale(work(i), 2);
		sum = sum > v[i] ? sum : v[i];
		total++;
	}
#pragma omp simd
	for (int i = 0; i < 8; i++)
		v[i] = scale(v[i], 3);
	printf("%d %d\n", v[7], sum);
	return 0;
}
