/* In scans of MPICH a rank waits for later ranks, too: ranks 0 and 1 for rank 2, and rank 0 for
 * rank 1. The standard says that they need only those before them, so a late rank 0 delays all.
 * With Open MPI they wait in the barrier that comes next. The last one there is rank 1 or rank 2,
 * which waited for rank 1. */
/* run: 3 1 */
/* mpich truth: 0-2 0 OSYNC_EARLYSCAN 0.6 */
/* openmpi truth: 0 0 OSYNC_MBAR 0.6 */
/* openmpi truth: 1 0 OSYNC_MBAR 0.3 */
/* openmpi truth: 1 0 OSYNC_EARLYSCAN 0.3 */
/* openmpi truth: 2 0 OSYNC_EARLYSCAN 0.6 */
/* truth: 0-2 0 USEFUL 0.3 */
/* mpich culprit: 2 0 OSYNC_EARLYSCAN 0.6 third */
/* mpich culprit: 1 0 OSYNC_EARLYSCAN 0.6 second */
/* openmpi culprit: 2 0 OSYNC_MBAR 0.6 third */
/* openmpi culprit: * 0 OSYNC_MBAR 0.3 main */
/* openmpi culprit: 1 0 OSYNC_EARLYSCAN 0.3 second */
/* culprit: 0 0 OSYNC_EARLYSCAN 0.6 first */
/* advice: PROCESSES_LATE MPI_Exscan */
/* advice: PROCESSES_LATE MPI_Wait */
/* mpich advice: PROCESSES_LATE MPI_Scan */
/* openmpi advice: PROCESSES_LATE MPI_Barrier */
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
