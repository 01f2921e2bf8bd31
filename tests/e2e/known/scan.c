/* In a scan all ranks wait for the first, which is late. */
/* run: 4 1 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 1-3 0 USEFUL 0.1 */
/* truth: 1-3 0 OSYNC_EARLYSCAN 0.3 */
/* advice: PROCESSES_UNEVEN MPI_Scan */
#include <mpi.h>
#include "known.h"

static void compute(double seconds) { work(seconds); }

int main(int argc, char **argv)
{
	int rank, one = 1, sum;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	compute(rank == 0 ? 0.4 : 0.1);
	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return sum != rank + 1;
}
