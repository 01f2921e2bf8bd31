/* Collectives that one call begins and tests complete: a loop over MPI_Test waits for the late
 * process, as MPI_Wait would. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_MBAR 0.2 */
/* truth: 0 0 OSYNC_NXN 0.2 */
/* truth: 0 0 OSYNC_LATEBCAST 0.2 */
/* truth: 1 0 USEFUL 0.6 */
/* culprit: 1 0 OSYNC_MBAR 0.2 barrier */
/* culprit: 1 0 OSYNC_NXN 0.2 reduction */
/* culprit: 1 0 OSYNC_LATEBCAST 0.2 broadcast */
/* advice: PROCESSES_LATE MPI_Test */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
static int rank, one = 1, sum;
static MPI_Request request;

static void barrier(void) { work(0.2); }
static void reduction(void) { work(0.2); }
static void broadcast(void) { work(0.2); }

static void complete(void)
{
	for (int done = 0; !done;)
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Barrier(WORLD);
	if (rank == 1)
		barrier();
	MPI_Ibarrier(WORLD, &request);
	complete();
	if (rank == 1)
		reduction();
	MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD, &request);
	complete();
	if (rank == 1)
		broadcast();
	MPI_Ibcast(&one, 1, MPI_INT, 1, WORLD, &request);
	complete();
	MPI_Finalize();
	return 0;
}
