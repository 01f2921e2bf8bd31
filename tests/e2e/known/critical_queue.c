/* Four threads queue for a critical section; their order is not known, but the sum of
 * their waits is. */
/* build: -fopenmp */
/* run: 1 4 */
/* truth: 0 * OSYNC_CRIT 0.6 */
/* truth: 0 * OSYNC_IBAR 0.6 */
/* truth: 0 0-3 USEFUL 0.1 */
/* culprit: 0 * OSYNC_CRIT 0.6 work */
/* advice: CRITICAL omp critical */
/* advisable: TEAM_UNEVEN omp parallel */
#include "known.h"

int main(void)
{
#pragma omp parallel
	{
#pragma omp barrier
#pragma omp critical(queue)
		work(0.1);
	}
	return 0;
}
