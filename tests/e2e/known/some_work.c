/* Two of four ranks work in a region of their own while the others wait at a barrier. */
/* run: 4 1 */
/* truth: 0-1 0 USEFUL 0.3 */
/* truth: 2-3 0 OLOSS_PART 0.3 */
/* advice: PART_PROCESSES MPI_Barrier */
#include <mpi.h>
#include "known.h"

static void their_own(void) { work(0.3); }

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank < 2)
		their_own();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
