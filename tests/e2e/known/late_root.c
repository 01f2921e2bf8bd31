/* All compute before a broadcast, its root longest: a late broadcast, no loss of parallelism. */
/* run: 4 1 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 1-3 0 USEFUL 0.1 */
/* truth: 1-3 0 OSYNC_LATEBCAST 0.3 */
/* advice: PROCESSES_UNEVEN MPI_Bcast */
#include <mpi.h>
#include "known.h"

static void compute(double seconds) { work(seconds); }

int main(int argc, char **argv)
{
	int rank, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	compute(rank == 0 ? 0.4 : 0.1);
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
