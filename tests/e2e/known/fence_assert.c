/* Fences that assert that nothing precedes or follows: MPI chooses where a rank waits, but not for
 * which rank. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 1 0 USEFUL 0.5 */
/* truth: 0 0 OSYNC_FENCE 0.3 */
/* truth: 1 0 OSYNC_FENCE 0.2 */
/* culprit: 0 0 OSYNC_FENCE 0.2 before */
/* culprit: 1 0 OSYNC_FENCE 0.3 between */
/* advice: PROCESSES_UNEVEN MPI_Win_fence */
#include <mpi.h>
#include "known.h"

static void before(int rank) { work(rank == 0 ? 0.3 : 0.1); }
static void between(int rank) { work(rank == 0 ? 0.1 : 0.4); }

int main(int argc, char **argv)
{
	int rank, size, memory = 0, value = 1;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD,
		       &window);
	MPI_Barrier(MPI_COMM_WORLD);
	before(rank);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
	between(rank);
	MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
