/* Two threads hold a lock in turn, then meet at a barrier: the lock is not why the second one is
 * late there. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 1 OSYNC_LOCK 0.23 */
/* truth: 0 0 OSYNC_EBAR 0.3 */
/* truth: 0 0 USEFUL 0.25 */
/* truth: 0 1 USEFUL 0.32 */
/* culprit: 0 0 OSYNC_LOCK 0.23 first */
/* culprit: 0 1 OSYNC_EBAR 0.3 next */
/* advice: BARRIER_UNEVEN omp barrier */
/* advice: LOCK omp_set_lock */
#include <omp.h>
#include "known.h"

static omp_lock_t lock;

static void first(void) { work(0.25); }
static void next(void) { work(0.3); }

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel
	{
		int me = omp_get_thread_num();
		work(me * 0.02);
		omp_set_lock(&lock);
		if (me == 0)
			first();
		else
			next();
		omp_unset_lock(&lock);
#pragma omp barrier
	}
	return 0;
}
