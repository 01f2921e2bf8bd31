/* Rank 0 takes rank 1's message first, which is late because rank 1 waited for rank 2. */
/* run: 3 1 */
/* truth: 0 0 OSYNC_LATESEND 0.4 */
/* truth: 1 0 OSYNC_LATESEND 0.3 */
/* truth: 1 0 USEFUL 0.1 */
/* truth: 2 0 OLOSS_UNPAR 0.1 */
/* truth: 2 0 USEFUL 0.3 */
/* culprit: 1 0 OSYNC_LATESEND 0.3 MPI_Recv */
/* culprit: 1 0 OSYNC_LATESEND 0.1 pass */
/* culprit: 2 0 OSYNC_LATESEND 0.3 source */
/* advice: SENDER_LATE MPI_Recv */
/* advice: WRONG_ORDER MPI_Recv */
#include <mpi.h>
#include "known.h"

static void source(void) { work(0.3); }
static void pass(void) { work(0.1); }

int main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Recv(&n, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Recv(&n, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		pass();
		MPI_Send(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	} else {
		source();
		MPI_Send(&n, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
