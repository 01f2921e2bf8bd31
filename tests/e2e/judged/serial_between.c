/* Teams with a serial part between each two of them. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: assemble */
/* remedy: UNPAR_SERIAL */
#include "own_log.h"

static void element(void) { compute(0.02); }
static void assemble(void) { compute(0.05); }

int main(void)
{
	own_start(0);
	for (int step = 0; step < 8; step++) {
#pragma omp parallel
		{
			own_live();
			element();
			own_leave(step);
		}
		assemble();
	}
	own_end();
	return 0;
}
