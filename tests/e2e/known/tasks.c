/* Equal tasks, as many as two threads can share evenly: created by one, executed by both. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 1 USEFUL 0.2 */
#include "known.h"

int main(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 4; i++) {
#pragma omp task
			work(0.1);
		}
#pragma omp taskwait
	}
	return 0;
}
