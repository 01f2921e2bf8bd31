/* Tasks with dependences: each step factors a diagonal block, and updates of other blocks need it.
 * The factorization is a chain that takes longer than the updates. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: factor */
/* remedy: BARRIER_TASKS TASKWAIT UNPAR_SINGLE UNPAR_TEAM PART_THREADS BARRIER_UNEVEN */
#include "own_log.h"

static char block[8], other[8][4];

static void factor(void) { compute(0.06); }
static void update(void) { compute(0.01); }

static void steps(void)
{
	for (int step = 0; step < 7; step++) {
		own_release("task", step, 0);
#pragma omp task depend(in : block[step]) depend(out : block[step + 1])
		{
			own_task(step, 0);
			factor();
			own_release("task", step + 1, 0);
			for (int i = 1; i <= 3; i++)
				own_release("task", step, i);
		}
		for (int i = 1; i <= 3; i++) {
			own_release("task", step, i);
#pragma omp task depend(in : block[step + 1]) depend(out : other[step][i])
			{
				own_task(step, i);
				update();
			}
		}
	}
}

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
#pragma omp single nowait
		steps();
		own_all("tasks", 0, 0);
#pragma omp barrier
		own_done();
		own_leave(0);
	}
	own_end();
	return 0;
}
