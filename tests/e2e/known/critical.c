/* Threads wait for each other at a critical section. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 OSYNC_IBAR 0.1 */
/* truth: 0 1 OSYNC_CRIT 0.25 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 1 USEFUL 0.15 */
/* culprit: 0 0 OSYNC_CRIT 0.25 work */
/* advice: CRITICAL omp critical */
/* advisable: TEAM_UNEVEN omp parallel */
#include <omp.h>
#include "known.h"

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		int first = omp_get_thread_num() == 0;
		if (!first)
			work(0.05);
#pragma omp critical
		work(first ? 0.3 : 0.1);
	}
	return 0;
}
