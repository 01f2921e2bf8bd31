/* Ranks 1 and 2 wait long after phases that are too short to be measured. What they ran in such a
 * phase decides which leaf the wait is. At first all ranks run step(). Before the broadcast and at
 * the end, rank 0 alone runs it. Between these, all ranks run it, but unevenly. */
/* run: 3 1 */
/* truth: 1-2 0 OLOSS_UNPAR 0.5 */
/* truth: 1-2 0 OSYNC_MBAR 0.2 */
/* truth: 0 0 USEFUL 0.8 */
/* truth: 1-2 0 USEFUL 0.1 */
/* advice: UNPAR_PROCESS MPI_Bcast */
/* advice: UNPAR_PROCESS MPI_Finalize */
/* advice: PROCESSES_UNEVEN MPI_Barrier */
#include <mpi.h>
#include "known.h"

static void step(double seconds) { work(seconds); }

int main(int argc, char **argv)
{
	int rank, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	step(0.1);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		step(0.3);
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	step(rank == 0 ? 0.2 : 0);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		step(0.2);
	MPI_Finalize();
	return 0;
}
