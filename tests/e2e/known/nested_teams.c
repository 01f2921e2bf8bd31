/* A team waits for a thread that waits for its own inner team: the cause is what ran in there. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 OSYNC_IBAR 0.3 */
/* truth: 0 1 OSYNC_IBAR 0.3 */
/* truth: 0 2 USEFUL 0.3 */
/* truth: 0 2 OLOSS_PART - */
/* culprit: * * OSYNC_IBAR 0.6 main */
/* indirect: 0 2 OSYNC_IBAR 0.3 deep */
/* advice: TEAM_UNEVEN omp parallel */
#include <omp.h>
#include "known.h"

static void deep(void) { work(0.3); }

int main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 1)
			deep();
	}
	return 0;
}
