/* Uneven work, in a function that all execute, before MPI_Barrier. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_MBAR 0.1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 1 0 USEFUL 0.2 */
/* advice: PROCESSES_UNEVEN MPI_Barrier */
/* run: 4 1 */
/* truth: 0 0 OSYNC_MBAR 0.3 */
/* truth: 1 0 OSYNC_MBAR 0.2 */
/* truth: 2 0 OSYNC_MBAR 0.1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 1 0 USEFUL 0.2 */
/* truth: 2 0 USEFUL 0.3 */
/* truth: 3 0 USEFUL 0.4 */
/* advice: PROCESSES_UNEVEN MPI_Barrier */
#include <mpi.h>
#include "known.h"

static void compute(int rank) { work(0.1 * (rank + 1)); }

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	compute(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
