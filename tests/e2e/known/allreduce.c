/* Uneven work before an all-to-all reduction, on a communicator of the program's own. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_NXN 0.3 */
/* truth: 1 0 USEFUL 0.4 */
/* advice: PROCESSES_UNEVEN MPI_Allreduce */
#include <mpi.h>
#include "known.h"

static void compute(int rank) { work(0.1 + 0.3 * rank); }

int main(int argc, char **argv)
{
	int rank, one = 1, sum;
	MPI_Comm comm;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Barrier(comm);
	compute(rank);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
