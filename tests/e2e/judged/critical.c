/* Threads add to a histogram in a critical construct, in which they also compute what they add. */
/* build: -fopenmp */
/* run: 1 2 */
/* run: 1 4 */
/* fault: weigh_and_add */
/* remedy: CRITICAL */
#include "own_log.h"

static void read_event(void) { compute(0.005); }
static void weigh_and_add(void) { compute(0.03); }

int main(void)
{
	own_start(0);
#pragma omp parallel
	{
		own_live();
		for (int event = 0; event < 24 / omp_get_num_threads(); event++) {
			read_event();
			own_lock("histogram", 0, 0);
#pragma omp critical(histogram)
			{
				own_done();
				own_hold("histogram", 0, 0);
				weigh_and_add();
				own_done();
			}
		}
		own_leave(0);
	}
	own_end();
	return 0;
}
