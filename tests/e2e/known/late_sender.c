/* Rank 1 waits in MPI_Recv for a message that rank 0 sends late. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1 0 OSYNC_LATESEND 0.3 */
/* advice: SENDER_LATE MPI_Recv */
#include <mpi.h>
#include "known.h"

int main(int argc, char **argv)
{
	int rank, value = 1;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		work(0.3);
		MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
