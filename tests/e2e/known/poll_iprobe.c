/* A loop over MPI_Iprobe waits for a late sender. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_LATESEND 0.3 */
/* truth: 1 0 USEFUL 0.3 */
/* culprit: 1 0 OSYNC_LATESEND 0.3 slow */
/* advice: SENDER_LATE MPI_Iprobe */
#include <mpi.h>
#include "known.h"

static void slow(void) { work(0.3); }

int main(int argc, char **argv)
{
	int rank, n = 0, found = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		while (!found)
			MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found,
				   MPI_STATUS_IGNORE);
		MPI_Recv(&n, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		slow();
		MPI_Send(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
