/* One thread waits for the other one's atomic construct. The program makes the calls to which GCC
 * compiles an atomic construct for which the processor has no instruction: only such a construct
 * can last for long. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 1 USEFUL 0.1 */
/* truth: 0 1 OSYNC_ATOMIC 0.2 */
/* culprit: 0 0 OSYNC_ATOMIC 0.2 update */
/* advice: ATOMIC update */
#include <omp.h>
#include "known.h"

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

static void update(double seconds)
{
	GOMP_atomic_start();
	work(seconds);
	GOMP_atomic_end();
}

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() > 0)
			work(0.1);
		update(omp_get_thread_num() > 0 ? 0 : 0.3);
	}
	return 0;
}
