/* A request that its server takes late: the culprit is what the server did before it took it. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_LATESEND 0.5 */
/* truth: 1 0 USEFUL 0.5 */
/* culprit: 1 0 OSYNC_LATESEND 0.4 busy */
/* culprit: 1 0 OSYNC_LATESEND 0.1 serve */
/* advice: SENDER_LATE MPI_Recv */
#include <mpi.h>
#include "known.h"

static void busy(void) { work(0.4); }
static void serve(void) { work(0.1); }

int main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Send(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Recv(&n, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		busy();
		MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		serve();
		MPI_Send(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
