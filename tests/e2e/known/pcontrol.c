/* Both ranks measure only the second half. Rank 1 works longer in both. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 1 0 USEFUL 0.2 */
/* truth: 0 0 UNMEASURED 0.3 */
/* truth: 1 0 UNMEASURED 0.3 */
/* truth: 0 0 OSYNC_MBAR 0.1 */
/* culprit: 1 0 OSYNC_MBAR 0.1 second_half */
/* advice: PROCESSES_UNEVEN MPI_Barrier */
#include <mpi.h>
#include "known.h"

static void first_half(int rank) { work(rank ? 0.3 : 0.1); }
static void second_half(int rank) { work(rank ? 0.2 : 0.1); }

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Pcontrol(0);
	first_half(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Pcontrol(1);
	second_half(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
