/* Ranks hold the lock of a window one after the other, the third with all others of the window: it
 * waits for both. */
/* run: 3 1 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 1 0 USEFUL 0.3 */
/* truth: 2 0 USEFUL 0.2 */
/* truth: 1 0 OSYNC_RMALOCK 0.1 */
/* truth: 2 0 OSYNC_RMALOCK 0.2 */
/* truth: 0 0 OLOSS_UNPAR 0.2 */
/* culprit: 0 0 OSYNC_RMALOCK 0.1 first */
/* culprit: 1 0 OSYNC_RMALOCK 0.2 next */
/* mpich advice: WINDOW_LOCK MPI_Win_lock_all */
/* advisable: UNPAR_PROCESS MPI_Barrier */
/* mpich advisable: WINDOW_LOCK MPI_Win_lock */
/* openmpi advice: WINDOW_LOCK MPI_Win_flush */
#include <mpi.h>
#include "known.h"

static void first(void) { work(0.2); }
static void next(void) { work(0.2); }

/* The lock is really had when something has been moved. */
static void have(MPI_Win window)
{
	int value = 1;
	MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
	MPI_Win_flush(0, window);
}

int main(int argc, char **argv)
{
	int rank, *memory;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &window);
	MPI_Barrier(MPI_COMM_WORLD);
	work(rank * 0.1);
	if (rank < 2) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
		have(window);
		if (rank == 0)
			first();
		else
			next();
		MPI_Win_unlock(0, window);
	} else {
		MPI_Win_lock_all(0, window);
		have(window);
		MPI_Win_unlock_all(window);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
