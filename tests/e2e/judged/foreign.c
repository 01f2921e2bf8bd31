/* The last thread calls a solver of a library, of which only the object file is there. */
/* build: -fopenmp */
/* object: foreign_solver.c */
/* run: 1 2 */
/* run: 1 4 */
/* fault: solve_rest */
/* remedy: BARRIER_UNEVEN UNPAR_TEAM PART_THREADS */
#include "own_log.h"

void foreign_solver(double seconds);

static void solve(void) { compute(0.02); }

static void solve_rest(void)
{
	OWN_BEGIN();
	foreign_solver(0.06);
	OWN_END();
}

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
		for (int step = 0; step < 8; step++) {
			solve();
			if (omp_get_thread_num() == omp_get_num_threads() - 1)
				solve_rest();
			own_all("step", step, 0);
#pragma omp barrier
			own_done();
		}
		own_leave(0);
	}
	own_end();
	return 0;
}
