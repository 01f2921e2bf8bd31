/* Threads wait for each other at a critical section inside a template. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 OSYNC_IBAR 0.1 */
/* truth: 0 1 OSYNC_CRIT 0.25 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 1 USEFUL 0.15 */
/* culprit: 0 0 OSYNC_CRIT 0.25 Sum<long>::add */
/* advice: CRITICAL omp critical */
/* advisable: TEAM_UNEVEN omp parallel */
#include <omp.h>
#include "known.h"

template <typename T> struct Sum {
	T value = 0;
	void add(T more)
	{
		work(more == 0 ? 0.3 : 0.1);
		value += more;
	}
	void fill()
	{
#pragma omp parallel
		{
			T number = omp_get_thread_num();
			if (number)
				work(0.05);
#pragma omp critical
			add(number);
		}
	}
};

int main()
{
	Sum<long> sum;
	sum.fill();
	return 0;
}
