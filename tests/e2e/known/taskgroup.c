/* A taskgroup ends with the task of a task, which another thread executes; the thread that
 * waits for it comes late to the barrier. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_TASKGROUP 0.25 */
/* truth: 0 1 USEFUL 0.35 */
/* culprit: 0 1 OSYNC_TASKGROUP 0.25 inner */
/* advice: TASKGROUP omp taskgroup */
#include <omp.h>
#include "known.h"

static void inner(void) { work(0.3); }
static void outer(void)
{
#pragma omp task
	inner();
	work(0.05);
}

int main(void)
{
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
			{
#pragma omp task
				outer();
				work(0.1);
			}
		}
	}
	return 0;
}
