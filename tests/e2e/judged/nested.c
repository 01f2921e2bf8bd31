/* The initial thread starts an inner team in an outer team of one; one inner thread has more. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: refine_patch */
/* remedy: TEAM_UNEVEN BARRIER_UNEVEN UNPAR_TEAM PART_THREADS */
#include "own_log.h"

static void patch(void) { compute(0.02); }
static void refine_patch(void) { compute(0.06); }

static void level(int step, int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num();
		own_unit(me);
		own_live();
		patch();
		if (me == omp_get_num_threads() - 1)
			refine_patch();
		own_all("level", step, 0);
#pragma omp barrier
		own_done();
		own_leave(step);
	}
}

int main(void)
{
	int threads = omp_get_max_threads();
	own_start(0);
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(1)
	for (int step = 0; step < 7; step++)
		level(step, threads);
	own_end();
	return 0;
}
