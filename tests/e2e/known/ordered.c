/* The whole body is ordered: every thread waits for its turn. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 1 USEFUL 0.2 */
/* truth: 0 0 OSYNC_ORDERED 0.1 */
/* truth: 0 1 OSYNC_ORDERED 0.2 */
/* truth: 0 0 OSYNC_IBAR 0.1 */
/* culprit: 0 0 OSYNC_ORDERED 0.2 work */
/* culprit: 0 1 OSYNC_ORDERED 0.1 work */
/* advice: ORDERED omp ordered */
/* advisable: LOOP_ORDERED omp parallel for */
#include "known.h"

int main(void)
{
#pragma omp parallel for ordered schedule(static, 1)
	for (int i = 0; i < 4; i++) {
#pragma omp ordered
		work(0.1);
	}
	return 0;
}
