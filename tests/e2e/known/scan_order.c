/* A rank of a scan waits for the ranks before it. A late rank 0 delays all; a late rank 1 delays
 * rank 2, and rank 0, which MPICH keeps in the call until rank 1 comes. With Open MPI rank 0 waits
 * in MPI_Finalize. */
/* run: 3 1 */
/* mpich truth: 0 0 OSYNC_EARLYSCAN 0.2 */
/* openmpi truth: 0 0 OSYNC_FINWAIT - */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 1 0 OSYNC_EARLYSCAN 0.4 */
/* truth: 1 0 USEFUL 0.2 */
/* truth: 2 0 OSYNC_EARLYSCAN 0.6 */
/* culprit: 0 0 OSYNC_EARLYSCAN 0.8 first */
/* mpich culprit: 1 0 OSYNC_EARLYSCAN 0.4 second */
/* openmpi culprit: 1 0 OSYNC_EARLYSCAN 0.2 second */
/* advice: PROCESSES_LATE MPI_Exscan */
/* advice: PROCESSES_LATE MPI_Scan */
/* advice: PROCESSES_LATE MPI_Wait */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD

static void first(void) { work(0.2); }
static void second(void) { work(0.2); }

int main(int argc, char **argv)
{
	int rank, one = 1, sum;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Barrier(WORLD);
	if (rank == 0)
		first();
	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD);
	MPI_Barrier(WORLD);
	if (rank == 0)
		first();
	MPI_Iexscan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(WORLD);
	if (rank == 1)
		second();
	MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD);
	MPI_Finalize();
	return 0;
}
