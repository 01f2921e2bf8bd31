/* The root of a reduction comes early and waits; its senders do not. */
/* run: 4 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_EARLYRED 0.3 */
/* truth: 1-3 0 USEFUL 0.4 */
/* advice: PROCESSES_UNEVEN MPI_Reduce */
#include <mpi.h>
#include "known.h"

static void compute(double seconds) { work(seconds); }

int main(int argc, char **argv)
{
	int rank, one = 1, sum = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	compute(rank == 0 ? 0.1 : 0.4);
	MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
