/* One thread executes a single construct in a method, the others wait for it. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 * OLOSS_UNPAR 0.3 */
/* truth: 0 * USEFUL 0.3 */
/* culprit: 0 * OLOSS_UNPAR 0.3 Loader::read */
/* advice: UNPAR_SINGLE omp single */
/* run: 1 4 */
/* truth: 0 * OLOSS_UNPAR 0.9 */
/* truth: 0 * USEFUL 0.3 */
/* culprit: 0 * OLOSS_UNPAR 0.9 Loader::read */
/* advice: UNPAR_SINGLE omp single */
#include "known.h"

class Loader
{
public:
	void load()
	{
#pragma omp parallel
		{
#pragma omp single
			read();
		}
	}

private:
	void read() { work(0.3); }
};

int main()
{
	Loader().load();
	return 0;
}
