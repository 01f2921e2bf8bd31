/* Two late messages, completed by one MPI_Waitall: their waits are one, not added up. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 1 0 USEFUL 0.1 */
/* truth: 1 0 OSYNC_LATESEND 0.3 */
/* advice: SENDER_UNEVEN MPI_Waitall */
#include <mpi.h>
#include "known.h"

int main(int argc, char **argv)
{
	int rank, value[2] = {1, 2};
	MPI_Request request[2];
	MPI_Status status[2];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		for (int i = 0; i < 2; i++) {
			work(0.2);
			MPI_Send(&value[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD);
		}
	} else {
		for (int i = 0; i < 2; i++)
			MPI_Irecv(&value[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
		work(0.1);
		MPI_Waitall(2, request, status);
	}
	MPI_Finalize();
	return 0;
}
