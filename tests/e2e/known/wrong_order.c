/* Rank 0 receives from rank 2, which is late, while rank 1's message is there. Rank 0 comes last to
 * the barrier. */
/* run: 3 1 */
/* truth: 0 0 OSYNC_LATESEND 0.4 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 1 0 OLOSS_UNPAR 0.4 */
/* truth: 1 0 USEFUL 0.1 */
/* truth: 2 0 OLOSS_UNPAR 0.1 */
/* truth: 2 0 USEFUL 0.4 */
/* culprit: 2 0 OSYNC_LATESEND 0.4 delayed */
/* culprit: 0 0 OLOSS_UNPAR 0.3 MPI_Recv */
/* culprit: 0 0 OLOSS_UNPAR 0.2 after */
/* advice: WRONG_ORDER MPI_Recv */
/* advice: UNPAR_PROCESS MPI_Barrier */
#include <mpi.h>
#include "known.h"

static void early(void) { work(0.1); }
static void delayed(void) { work(0.4); }
static void after(void) { work(0.1); }

int main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Recv(&n, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		after();
	} else if (rank == 1) {
		early();
		MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	} else {
		delayed();
		MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
