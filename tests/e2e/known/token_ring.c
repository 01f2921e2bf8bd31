/* A token goes round: each rank works when it has it, so they work one after the other. */
/* run: 3 1 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 0 OSYNC_LATESEND 0.4 */
/* truth: 1 0 USEFUL 0.2 */
/* truth: 1 0 OSYNC_LATESEND 0.3 */
/* truth: 1 0 OSYNC_MBAR 0.1 */
/* truth: 2 0 USEFUL 0.2 */
/* truth: 2 0 OSYNC_LATESEND 0.4 */
/* advice: SERIALIZED MPI_Recv */
/* advisable: PROCESSES_LATE MPI_Barrier */
/* advisable: PROCESSES_UNEVEN MPI_Barrier */
/* advisable: LATE_CHANGES MPI_Barrier */
#include <mpi.h>
#include "known.h"

static void turn(void) { work(0.1); }

int main(int argc, char **argv)
{
	int rank, token = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int round = 0; round < 2; round++) {
		if (round > 0 || rank > 0)
			MPI_Recv(&token, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		turn();
		MPI_Send(&token, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
	}
	if (rank == 0)
		MPI_Recv(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
