/* A dynamic schedule balances what a static one would not. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 0 1 USEFUL 0.4 */
#include "known.h"

int main(void)
{
#pragma omp parallel
#pragma omp for schedule(dynamic, 1)
	for (int i = 0; i < 5; i++)
		work(i == 0 ? 0.4 : 0.1);
	return 0;
}
