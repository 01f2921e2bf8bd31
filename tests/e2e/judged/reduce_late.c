/* The root of reductions waits for the last rank, which has more terms to sum up. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: extra_terms */
/* remedy: PROCESSES_LATE PROCESSES_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include "own_log.h"

static void terms(void) { compute(0.02); }
static void extra_terms(void) { compute(0.05); }

int main(int argc, char **argv)
{
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	for (int step = 0; step < 8; step++) {
		double mine = 1, sum = 0;
		terms();
		if (rank == size - 1)
			extra_terms();
		if (rank == 0)
			own_until("mpi-reduce", 0, step);
		else
			own_release("mpi-reduce", 0, step);
		MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
		if (rank == 0)
			own_done();
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
