/* A thread waits at a barrier for the master, which waits in MPI_Recv for a rank that computes. */
/* build: -fopenmp */
/* run: 2 2 */
/* truth: 0 0 OSYNC_LATESEND 0.3 */
/* truth: 0 1 OLOSS_UNPAR 0.3 */
/* truth: 1 1 OLOSS_UNPAR - */
/* truth: 1 0 USEFUL 0.3 */
/* culprit: 1 0 OSYNC_LATESEND 0.3 compute */
/* indirect: 1 0 OSYNC_LATESEND 0.3 compute */
/* advice: SENDER_LATE MPI_Recv */
#include <mpi.h>
#include <omp.h>
#include "known.h"

static void compute(void) { work(0.3); }

int main(int argc, char **argv)
{
	int rank, given, n = 0;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
#pragma omp parallel
		{
#pragma omp master
			MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp barrier
		}
	} else {
		compute();
		MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
