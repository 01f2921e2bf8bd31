/* A partitioned message is sent with the last of its parts: its receiver waits for that, not for
 * the start. Another message with the same tag has nothing to do with it. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 1 0 USEFUL 0.1 */
/* truth: 1 0 OSYNC_LATESEND 0.4 */
/* advice: SENDER_UNEVEN MPI_Wait */
#include <mpi.h>
#include "known.h"

enum { PARTS = 4 };

int main(int argc, char **argv)
{
	int rank, value[PARTS] = {0}, other = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if MPI_VERSION >= 4
	MPI_Request request;
	if (rank == 0)
		MPI_Psend_init(value, PARTS, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
			       &request);
	else
		MPI_Precv_init(value, PARTS, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
			       &request);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Start(&request);
	if (rank == 0) {
		MPI_Send(&other, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
		for (int i = 0; i < PARTS; i++) {
			work(0.1);
			MPI_Pready(i, request);
		}
	} else {
		MPI_Recv(&other, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	work(0.1);
	MPI_Request_free(&request);
#else
	MPI_Barrier(MPI_COMM_WORLD);
	work(rank == 0 ? 0.4 : 0);
	if (rank == 0)
		MPI_Send(&other, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
	else {
		MPI_Request request;
		MPI_Irecv(&value[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	work(0.1);
#endif
	MPI_Finalize();
	return 0;
}
