/* A team inside a member function of a template: one row takes longer than the others. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 0 1 USEFUL 0.1 */
/* truth: 0 1 OSYNC_IBAR 0.3 */
/* culprit: 0 0 OSYNC_IBAR 0.3 Grid<double>::row */
/* advice: LOOP_STATIC omp parallel for */
#include "known.h"

template <typename T> class Grid
{
public:
	void sweep()
	{
#pragma omp parallel for schedule(static, 1)
		for (int i = 0; i < 2; i++)
			row(i);
	}

private:
	void row(int i) { work(i == 0 ? 0.4 : 0.1); }
	T data[2] = {};
};

int main()
{
	Grid<double> grid;
	grid.sweep();
	return 0;
}
