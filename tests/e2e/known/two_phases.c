/* A wait in the second phase is for the second phase's function. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_LATESEND 0.3 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1 0 USEFUL 0.6 */
/* culprit: 1 0 OSYNC_LATESEND 0.3 two */
/* advice: SENDER_LATE MPI_Recv */
#include <mpi.h>
#include "known.h"

static void one(void) { work(0.3); }
static void two(void) { work(0.3); }

int main(int argc, char **argv)
{
	int rank, n = 0, m;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	one();
	MPI_Sendrecv(&n, 1, MPI_INT, 1 - rank, 1, &m, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Recv(&n, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else {
		two();
		MPI_Send(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
