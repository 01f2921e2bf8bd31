/* Uneven work before a fence. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_FENCE 0.3 */
/* truth: 1 0 USEFUL 0.4 */
/* advice: PROCESSES_UNEVEN MPI_Win_fence */
#include <mpi.h>
#include "known.h"

static void compute(int rank) { work(0.1 + 0.3 * rank); }

int main(int argc, char **argv)
{
	int rank, memory = 0;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD,
		       &window);
	MPI_Win_fence(0, window);
	compute(rank);
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
