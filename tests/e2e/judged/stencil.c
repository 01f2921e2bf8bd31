/* A stencil on a line of cells that is divided unevenly: the last rank has most of them. Each step
 * exchanges borders with the neighbours and finds the largest change. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: relax */
/* remedy: PROCESSES_UNEVEN SENDER_UNEVEN PROCESSES_LATE SENDER_LATE PART_PROCESSES UNPAR_PROCESS */
#include <mpi.h>
#include "own_log.h"

static int rank, size;

static void relax(int cells) { compute(0.001 * cells); }

static void borders(int step)
{
	double mine = rank, theirs;
	for (int side = -1; side <= 1; side += 2) {
		int other = rank + side;
		if (other < 0 || other >= size)
			continue;
		own_release("mpi-border", other * 100 + rank, step);
		own_until("mpi-border", rank * 100 + other, step);
		MPI_Sendrecv(&mine, 1, MPI_DOUBLE, other, 0, &theirs, 1, MPI_DOUBLE, other, 0,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		own_done();
	}
}

static void largest_change(int step)
{
	double mine = rank, largest;
	own_all("mpi-change", 0, step);
	MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	own_done();
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	for (int step = 0; step < 10; step++) {
		relax(rank == size - 1 ? 50 : 50 / (2 * size - 2));
		borders(step);
		largest_change(step);
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
