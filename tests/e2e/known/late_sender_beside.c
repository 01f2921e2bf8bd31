/* Ranks 2 and 3 have no work. For 0.2 s ranks 0 and 1 both work (OLOSS_PART). For 0.3 s rank 1
 * waits in MPI for rank 0, so only rank 0 works (OLOSS_UNPAR). */
/* run: 4 1 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 1 0 USEFUL 0.2 */
/* truth: 1 0 OSYNC_LATESEND 0.3 */
/* truth: 2-3 0 OLOSS_UNPAR 0.3 */
/* truth: 2-3 0 OLOSS_PART 0.2 */
/* advice: SENDER_UNEVEN MPI_Recv */
/* advice: UNPAR_PROCESS MPI_Barrier */
/* advice: PART_PROCESSES MPI_Barrier */
#include <mpi.h>
#include "known.h"

static void produce(double seconds) { work(seconds); }

int main(int argc, char **argv)
{
	int rank, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		produce(0.5);
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else if (rank == 1) {
		produce(0.2);
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
