/* The root of broadcasts computes parameters first, for which all others wait. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: parameters */
/* remedy: PROCESSES_LATE PROCESSES_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include "own_log.h"

static void parameters(void) { compute(0.05); }
static void simulate(void) { compute(0.02); }

int main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	own_start(rank);
	for (int step = 0; step < 8; step++) {
		if (rank == 0) {
			parameters();
			own_release("mpi-parameters", step, 0);
		} else {
			own_until("mpi-parameters", step, 0);
		}
		MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
		if (rank != 0)
			own_done();
		simulate();
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
