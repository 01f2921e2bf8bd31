/* Before a barrier a process works for less than a millisecond, after a long reduction. The other
 * one works longer in the same function. So the wait at the barrier is no loss of parallelism. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_NXN 0.3 */
/* truth: 0 0 OSYNC_MBAR 0.3 */
/* truth: 1 0 USEFUL 0.7 */
/* culprit: 1 0 OSYNC_NXN 0.3 compute */
/* culprit: 1 0 OSYNC_MBAR 0.3 compute */
/* advice: PROCESSES_UNEVEN MPI_Barrier */
/* advice: PROCESSES_UNEVEN MPI_Allreduce */
#include <mpi.h>
#include "known.h"

static void compute(double seconds) { work(seconds); }

int main(int argc, char **argv)
{
	int rank, one = 1, sum;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	compute(rank == 0 ? 0.1 : 0.4);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	compute(rank == 0 ? 0.0002 : 0.3);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
