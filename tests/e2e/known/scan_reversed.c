/* A scan on a communicator that orders the processes the other way round: each waits for those
 * before it there. */
/* run: 3 1 */
/* truth: 0-1 0 USEFUL 0.1 */
/* truth: 0-1 0 OSYNC_EARLYSCAN 0.3 */
/* truth: 2 0 USEFUL 0.4 */
/* advice: PROCESSES_UNEVEN MPI_Scan */
#include <mpi.h>
#include "known.h"

static void compute(double seconds) { work(seconds); }

int main(int argc, char **argv)
{
	int rank, one = 1, sum = 0;
	MPI_Comm reversed;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
	MPI_Barrier(MPI_COMM_WORLD);
	compute(rank == 2 ? 0.4 : 0.1);
	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, reversed);
	MPI_Finalize();
	return 0;
}
