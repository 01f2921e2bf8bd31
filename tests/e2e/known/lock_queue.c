/* Three threads come one after the other for a lock that each holds: the last one waits for
 * both. */
/* build: -fopenmp */
/* run: 1 3 */
/* truth: 0 1 OSYNC_LOCK 0.15 */
/* truth: 0 2 OSYNC_LOCK 0.35 */
/* truth: 0 0 OSYNC_IBAR 0.5 */
/* truth: 0 1 OSYNC_IBAR 0.25 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 1 USEFUL 0.3 */
/* truth: 0 2 USEFUL 0.35 */
/* culprit: 0 0 OSYNC_LOCK 0.25 first */
/* culprit: 0 1 OSYNC_LOCK 0.25 next */
/* advice: LOCK omp_set_nest_lock */
/* advice: TEAM_UNEVEN omp parallel */
#include <omp.h>
#include "known.h"

static omp_nest_lock_t lock;

static void first(void) { work(0.2); }
static void next(void) { work(0.25); }

static void locked(int me)
{
	omp_set_nest_lock(&lock);
	if (me == 0)
		first();
	else
		next();
	omp_unset_nest_lock(&lock);
}

int main(void)
{
	omp_init_nest_lock(&lock);
#pragma omp parallel
	{
		int me = omp_get_thread_num();
		work(me * 0.05);
		locked(me);
	}
	omp_destroy_nest_lock(&lock);
	return 0;
}
