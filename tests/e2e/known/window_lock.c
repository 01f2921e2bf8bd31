/* One rank holds the exclusive lock of a window that the other wants; where an MPI takes the lock
 * is its own choice. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1 0 USEFUL 0.1 */
/* truth: 1 0 OSYNC_RMALOCK 0.2 */
/* culprit: 0 0 OSYNC_RMALOCK 0.2 work */
/* mpich advice: WINDOW_LOCK MPI_Win_lock */
/* openmpi advice: WINDOW_LOCK MPI_Win_unlock */
#include <mpi.h>
#include "known.h"

int main(int argc, char **argv)
{
	int rank, *memory, value = 1, back = 0;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &window);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		work(0.1);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
	MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
	if (rank == 0) {
		MPI_Get(&back, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
		MPI_Win_flush(0, window);
		work(0.3);
	}
	MPI_Win_unlock(0, window);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
