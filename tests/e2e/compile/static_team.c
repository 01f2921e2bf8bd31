/* static_team.c - every construct of OpenMP that needs an entry of the runtime. */
#include <omp.h>
#include <stdio.h>
static int work(int n)
{
	for (int i = 0; i < 9; i++)
		n ^= i;
	return n;
}
int main(void)
{
	int sum = 0;
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(3) reduction(+ : sum)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 40; i++)
			sum += work(i) - work(i) + 1;
#pragma omp critical
		sum += work(0) * 0;
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < 4; i++) {
#pragma omp task
			work(i);
		}
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
	printf("%d %d\n", sum, omp_get_thread_num());
	return 0;
}
