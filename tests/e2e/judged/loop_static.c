/* A loop over the rows of a triangle, in equal parts: late rows are longer than early ones. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: eliminate_row */
/* remedy: LOOP_STATIC */
#include "own_log.h"

static void eliminate_row(int row) { compute(0.0005 * row); }

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
		for (int step = 0; step < 5; step++) {
#pragma omp for schedule(static)
			for (int row = 0; row < 32; row++)
				eliminate_row(row);
			own_after("loop", step, 0);
		}
		own_leave(0);
	}
	own_end();
	return 0;
}
