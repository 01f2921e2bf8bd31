/* From barrier to barrier another thread has the long part. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: long_phase */
/* remedy: BARRIER_UNEVEN UNPAR_TEAM PART_THREADS */
#include "own_log.h"

static void short_phase(void) { compute(0.015); }
static void long_phase(void) { compute(0.06); }

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
		for (int step = 0; step < 8; step++) {
			if (step % omp_get_num_threads() == omp_get_thread_num())
				long_phase();
			else
				short_phase();
			own_all("step", step, 0);
#pragma omp barrier
			own_done();
		}
		own_leave(0);
	}
	own_end();
	return 0;
}
