/* A serial phase on rank 0 before a broadcast: the others are without work. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1 0 OLOSS_UNPAR 0.3 */
/* advice: UNPAR_PROCESS MPI_Bcast */
/* run: 4 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1-3 0 OLOSS_UNPAR 0.3 */
/* advice: UNPAR_PROCESS MPI_Bcast */
#include <mpi.h>
#include "known.h"

static void serial_phase(void) { work(0.3); }

int main(int argc, char **argv)
{
	int rank, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		serial_phase();
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
