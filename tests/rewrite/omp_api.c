/* flags: -fopenmp */
#include <omp.h>
#include <stdio.h>
int main(void)
{
	omp_lock_t lock;
	int n = 0, most = 0;
	omp_init_lock(&lock);
#pragma omp parallel
	{
		omp_set_lock(&lock);
		n++;
		if (omp_get_thread_num() > most)
			most = omp_get_thread_num();
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	printf("%d %d\n", n, most);
	return 0;
}
