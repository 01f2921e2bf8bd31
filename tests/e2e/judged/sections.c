/* Two sections of a team, of which one takes much longer. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: render */
/* remedy: SECTIONS UNPAR_SECTIONS PART_SECTIONS */
#include "own_log.h"

static void sound(void) { compute(0.02); }
static void render(void) { compute(0.08); }

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
		for (int frame = 0; frame < 6; frame++) {
#pragma omp sections
			{
#pragma omp section
				sound();
#pragma omp section
				render();
			}
			own_after("frame", frame, 0);
		}
		own_leave(0);
	}
	own_end();
	return 0;
}
