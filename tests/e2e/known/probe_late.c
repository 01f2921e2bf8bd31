/* MPI_Probe waits for a late sender. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_LATESEND 0.3 */
/* truth: 1 0 USEFUL 0.3 */
/* culprit: 1 0 OSYNC_LATESEND 0.3 slow */
/* advice: SENDER_LATE MPI_Probe */
#include <mpi.h>
#include "known.h"

static void slow(void) { work(0.3); }

int main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Probe(1, 2, MPI_COMM_WORLD, &status);
		MPI_Recv(&n, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &status);
	} else {
		slow();
		MPI_Send(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
