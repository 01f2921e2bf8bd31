/* flags: -fopenmp --sis-cr=CR_OMP,CR_S */
/* Tasks with all their clauses: the probe stands outside, the body is as it was. */
#include <omp.h>
#include <stdio.h>
static int square(int i) { return i * i; }
int main(void)
{
	int v[6] = {0}, sum = 0, late = 0, n = 6;
	omp_event_handle_t event;
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		{
			for (int i = 0; i < n; i++)
#pragma omp task depend(out : v[i]) in_reduction(+ : sum) untied
				v[i] = square(i), sum += v[i];
#pragma omp task depend(iterator(int k = 0 : n), in : v[k]) in_reduction(+ : sum) mergeable
			sum += v[5];
		}
#pragma omp task detach(event) affinity(v)
		omp_fulfill_event(event);
#pragma omp task depend(mutexinoutset : late) priority(2)
		late++;
#pragma omp task depend(mutexinoutset : late) if (0)
		late += 2;
#pragma omp task depend(inout : v[0]) final(1)
		{
#pragma omp task
			late += 0;
		}
#pragma omp taskwait depend(in : late)
#pragma omp taskyield
#pragma omp taskloop reduction(+ : sum) num_tasks(strict : 2)
		for (int i = 0; i < n; i++)
			sum += square(v[i] > 0);
#pragma omp taskloop simd grainsize(strict : 3) nogroup
		for (int i = 0; i < n; i++)
			v[i]++;
	}
	printf("%d %d %d\n", sum, late, v[5]);
	return 0;
}
