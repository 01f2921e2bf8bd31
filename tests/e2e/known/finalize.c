/* Rank 0 has less to do and waits for rank 1 in MPI_Finalize. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_FINWAIT 0.3 */
/* truth: 1 0 USEFUL 0.4 */
/* advice: PROCESSES_UNEVEN MPI_Finalize */
#include <mpi.h>
#include "known.h"

static void compute(int rank) { work(0.1 + 0.3 * rank); }

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	compute(rank);
	MPI_Finalize();
	return 0;
}
