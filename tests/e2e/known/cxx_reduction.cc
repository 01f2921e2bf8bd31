/* Uneven work before an all-to-all reduction: a virtual method, and std::for_each with a lambda. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_NXN 0.3 */
/* truth: 1 0 USEFUL 0.4 */
/* culprit: 1 0 OSYNC_NXN 0.3 Cell::step */
/* advice: PROCESSES_UNEVEN MPI_Allreduce */
#include <mpi.h>
#include <algorithm>
#include <memory>
#include <vector>
#include "known.h"

struct Shape {
	virtual ~Shape() {}
	virtual double step() = 0;
};

struct Cell : Shape {
	double step() override
	{
		work(0.1);
		return 1;
	}
};

class Solver
{
public:
	explicit Solver(int cells)
	{
		while (cells--)
			shapes.emplace_back(new Cell);
	}
	double solve()
	{
		double sum = 0, all;
		std::for_each(shapes.begin(), shapes.end(),
			      [&sum](std::unique_ptr<Shape> &shape) { sum += shape->step(); });
		MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		return all;
	}

private:
	std::vector<std::unique_ptr<Shape>> shapes;
};

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	double sum = Solver(rank == 0 ? 1 : 4).solve();
	MPI_Finalize();
	return sum == 5 ? 0 : 1;
}
