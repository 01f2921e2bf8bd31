/* An ordered loop in which almost everything is inside of the ordered region. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: write_line */
/* remedy: ORDERED LOOP_ORDERED */
#include "own_log.h"

static void make_line(void) { compute(0.005); }
static void write_line(void) { compute(0.025); }

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
#pragma omp for ordered schedule(static, 1)
		for (int line = 0; line < 24; line++) {
			make_line();
			own_turn("line", line, 0);
#pragma omp ordered
			{
				own_done();
				write_line();
				own_release("line", line + 1, 0);
			}
		}
		own_after("lines", 0, 0);
		own_leave(0);
	}
	own_end();
	return 0;
}
