/* Equal tasks, as many as two threads can share evenly: created by one, executed by both. By the
 * initial thread: where a worker of libomp creates them, the initial one sleeps through them
 * (OMP_WAIT_POLICY=passive), with or without us. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 1 USEFUL 0.2 */
#include "known.h"

int main(void)
{
#pragma omp parallel
#pragma omp master
	{
		for (int i = 0; i < 4; i++) {
#pragma omp task
			work(0.1);
		}
#pragma omp taskwait
	}
	return 0;
}
