/* Uneven work before an explicit barrier. */
/* build: -fopenmp */
/* run: 1 4 */
/* truth: 0 0 OSYNC_EBAR 0.3 */
/* truth: 0 1 OSYNC_EBAR 0.2 */
/* truth: 0 2 OSYNC_EBAR 0.1 */
/* truth: 0 3 USEFUL 0.4 */
/* advice: BARRIER_UNEVEN omp barrier */
#include <omp.h>
#include "known.h"

int main(void)
{
#pragma omp parallel
	{
		work(0.1 * (omp_get_thread_num() + 1));
#pragma omp barrier
	}
	return 0;
}
