/* Rank 0 waits in a synchronous send for a receiver that comes late. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_LATERECV 0.3 */
/* truth: 1 0 USEFUL 0.3 */
/* advice: RECEIVER_LATE MPI_Ssend */
#include <mpi.h>
#include "known.h"

int main(int argc, char **argv)
{
	int rank, value = 1;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Ssend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
	} else {
		work(0.3);
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
