/* The creator of a task waits for it while the other thread executes it. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_TASKWAIT 0.2 */
/* truth: 0 1 USEFUL 0.3 */
/* culprit: 0 1 OSYNC_TASKWAIT 0.2 work */
/* advice: TASKWAIT omp taskwait */
#include <omp.h>
#include "known.h"

int main(void)
{
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp task
			work(0.3);
			work(0.1);
#pragma omp taskwait
		}
	}
	return 0;
}
