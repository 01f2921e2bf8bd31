/* One parallel region with teams of 1, 2, 3, 2, 1 members: a thread that is in none waits for
 * one thread that works, or for two. */
/* build: -fopenmp */
/* run: 1 3 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 0 0 OSYNC_IBAR 0.3 */
/* truth: 0 1 USEFUL 0.5 */
/* truth: 0 1 OSYNC_IBAR 0.1 */
/* truth: 0 1 OLOSS_UNPAR 0.2 */
/* truth: 0 2 USEFUL 0.2 */
/* truth: 0 2 OLOSS_UNPAR 0.2 */
/* truth: 0 2 OLOSS_PART 0.4 */
/* advice: PART_THREADS omp parallel */
/* advice: UNPAR_TEAM omp parallel */
/* advice: TEAM_UNEVEN omp parallel */
#include <omp.h>
#include "known.h"

int main(void)
{
	static const int members[] = {1, 2, 3, 2, 1};
	for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(members[i])
		{
			work(0.1);
			if (members[i] > 1 && omp_get_thread_num() == members[i] - 1)
				work(0.1);
		}
	}
	return 0;
}
