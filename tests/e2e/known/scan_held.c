/* In scans of MPICH a rank waits for later ranks, too: ranks 0 and 1 for rank 2, and rank 0 for
 * rank 1. The standard says that they need only those before them, so a late rank 0 delays all. */
/* run: 3 1 */
/* truth: 0-2 0 OSYNC_EARLYSCAN 0.6 */
/* truth: 0-2 0 USEFUL 0.3 */
/* culprit: 2 0 OSYNC_EARLYSCAN 0.6 third */
/* culprit: 1 0 OSYNC_EARLYSCAN 0.6 second */
/* culprit: 0 0 OSYNC_EARLYSCAN 0.6 first */
/* advice: PROCESSES_LATE MPI_Exscan */
/* advice: PROCESSES_LATE MPI_Wait */
/* advice: PROCESSES_LATE MPI_Scan */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD

static void first(void) { work(0.3); }
static void second(void) { work(0.3); }
static void third(void) { work(0.3); }

int main(int argc, char **argv)
{
	int rank, one = 1, sum;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Barrier(WORLD);
	if (rank == 2)
		third();
	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD);
	MPI_Barrier(WORLD);
	if (rank == 1)
		second();
	MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD);
	MPI_Barrier(WORLD);
	if (rank == 0)
		first();
	MPI_Iscan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
