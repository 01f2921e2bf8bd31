/* A serial phase between parallel regions: the workers are without work. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 0 1 USEFUL 0.2 */
/* truth: 0 1 OLOSS_UNPAR 0.3 */
/* advice: UNPAR_SERIAL work */
/* run: 1 4 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 0 1-3 USEFUL 0.2 */
/* truth: 0 1-3 OLOSS_UNPAR 0.3 */
/* advice: UNPAR_SERIAL work */
#include "known.h"

static void parallel_phase(void)
{
#pragma omp parallel
	work(0.1);
}

int main(void)
{
	parallel_phase();
	work(0.3);
	parallel_phase();
	return 0;
}
