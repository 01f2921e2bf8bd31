/* One thread makes tasks slowly; the others execute them faster than they come. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: read_record */
/* remedy: TASKS_MISSING UNPAR_SINGLE UNPAR_TEAM PART_THREADS */
#include "own_log.h"

static void read_record(void) { compute(0.04); }
static void handle_record(void) { compute(0.01); }

static void produce(void)
{
	for (int i = 0; i < 14; i++) {
		read_record();
		own_release("task", i, 0);
#pragma omp task
		{
			own_task(i, 0);
			handle_record();
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
		produce();
		own_all("records", 0, 0);
#pragma omp barrier
		own_done();
		own_leave(0);
	}
	own_end();
	return 0;
}
