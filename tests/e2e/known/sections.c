/* Two sections of different length: while one is left, one works. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 * USEFUL 0.4 */
/* truth: 0 * OLOSS_UNPAR 0.2 */
/* advice: UNPAR_SECTIONS omp sections */
#include "known.h"

int main(void)
{
#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			work(0.1);
#pragma omp section
			work(0.3);
		}
	}
	return 0;
}
