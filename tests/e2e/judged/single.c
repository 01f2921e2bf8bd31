/* A team in which one thread prepares a table, for which the others wait, before all use it. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: prepare_table */
/* remedy: UNPAR_SINGLE */
#include "own_log.h"

static void prepare_table(void) { compute(0.06); }
static void use_table(void) { compute(0.02); }

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
		for (int step = 0; step < 6; step++) {
#pragma omp single
			prepare_table();
			own_after("single", step, 0);
			use_table();
			own_all("used", step, 0);
#pragma omp barrier
			own_done();
		}
		own_leave(0);
	}
	own_end();
	return 0;
}
