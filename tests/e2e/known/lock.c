/* One thread waits for a lock that the other holds. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 1 OSYNC_LOCK 0.25 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 1 USEFUL 0.05 */
/* culprit: 0 0 OSYNC_LOCK 0.25 work */
/* advice: LOCK omp_set_lock */
#include <omp.h>
#include "known.h"

int main(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel
	{
		int first = omp_get_thread_num() == 0;
		if (!first)
			work(0.05);
		omp_set_lock(&lock);
		if (first)
			work(0.3);
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return 0;
}
