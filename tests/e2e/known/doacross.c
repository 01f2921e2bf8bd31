/* The second row of a doacross nest waits for the first, place by place. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 1 OSYNC_ORDERED 0.3 */
/* truth: 0 0 OSYNC_IBAR 0.2 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 0 1 USEFUL 0.4 */
/* culprit: 0 0 OSYNC_ORDERED 0.2 first */
/* culprit: 0 0 OSYNC_ORDERED 0.1 slower */
/* advice: ORDERED omp ordered */
/* advice: LOOP_ORDERED omp parallel for */
#include "known.h"

static void first(void) { work(0.2); }
static void slower(void) { work(0.3); }
static void second(void) { work(0.2); }

int main(void)
{
#pragma omp parallel for ordered(2) schedule(static, 1)
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
#pragma omp ordered depend(sink : i - 1, j)
			if (i > 0)
				second();
			else if (j > 0)
				slower();
			else
				first();
#pragma omp ordered depend(source)
		}
	return 0;
}
