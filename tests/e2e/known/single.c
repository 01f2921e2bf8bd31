/* One thread executes a single construct, the others wait for it. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 * OLOSS_UNPAR 0.3 */
/* truth: 0 * USEFUL 0.3 */
/* advice: UNPAR_SINGLE omp single */
/* run: 1 4 */
/* truth: 0 * OLOSS_UNPAR 0.9 */
/* truth: 0 * USEFUL 0.3 */
/* advice: UNPAR_SINGLE omp single */
#include "known.h"

int main(void)
{
#pragma omp parallel
	{
#pragma omp single
		work(0.3);
	}
	return 0;
}
