/* Uneven tasks: the thread that creates them executes the last one, which is the longest, and the
 * other thread the first one. Both work, so the wait of the other one at the barrier is imbalance,
 * although the creator is in a construct that only it executes. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 * USEFUL 1.0 */
/* truth: 0 * OSYNC_EBAR 0.3 */
/* truth: 0 * OSYNC_IBAR 0.3 */
/* culprit: 0 * OSYNC_EBAR 0.3 uneven */
/* culprit: 0 * OSYNC_IBAR 0.3 uneven */
/* advice: BARRIER_TASKS omp barrier */
/* advice: BARRIER_TASKS omp single */
/* advisable: TEAM_UNEVEN omp parallel */
/* advisable: BARRIER_TASKS omp parallel */
#include <omp.h>
#include "known.h"

static void uneven(double seconds) { work(seconds); }

static void two_tasks(void)
{
#pragma omp task
	uneven(0.05);
#pragma omp task
	uneven(0.2);
}

int main(void)
{
#pragma omp parallel
	{
#pragma omp master
		{
#pragma omp taskgroup
			two_tasks();
		}
#pragma omp barrier
#pragma omp single
		{
			two_tasks();
#pragma omp taskwait
		}
#pragma omp single nowait
		{
#pragma omp taskgroup
			two_tasks();
		}
#pragma omp barrier
#pragma omp master
		{
			two_tasks();
#pragma omp taskwait
		}
	}
	return 0;
}
