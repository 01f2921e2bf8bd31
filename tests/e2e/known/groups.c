/* Collectives between two groups: ranks 0 and 1, and rank 2. In each one process is late. All wait
 * in a barrier, a reduction and an exchange. For the root of a broadcast only the other group
 * waits. The process beside the root has work then. */
/* run: 3 1 */
/* truth: 0 0 OSYNC_MBAR 0.2 */
/* truth: 0 0 OSYNC_NXN 0.4 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 1 0 OSYNC_MBAR 0.2 */
/* truth: 1 0 OSYNC_NXN 0.2 */
/* truth: 1 0 USEFUL 0.4 */
/* truth: 2 0 OSYNC_NXN 0.2 */
/* truth: 2 0 OSYNC_LATEBCAST 0.2 */
/* truth: 2 0 USEFUL 0.4 */
/* culprit: 2 0 OSYNC_MBAR 0.4 barrier */
/* culprit: 1 0 OSYNC_NXN 0.4 reduction */
/* culprit: 2 0 OSYNC_NXN 0.4 exchange */
/* culprit: 0 0 OSYNC_LATEBCAST 0.2 root */
/* advice: PROCESSES_LATE MPI_Wait */
/* advice: PROCESSES_LATE MPI_Alltoall */
/* advice: PROCESSES_LATE MPI_Barrier */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
static int rank, in[4], out[4] = { 1, 2, 3, 4 };

static void barrier(void) { work(0.2); }
static void reduction(void) { work(0.2); }
static void exchange(void) { work(0.2); }
static void root(void) { work(0.2); }
static void own(void) { work(0.2); }

/* The start differs from run to run: it is waited for in no collective. */
static void meet(void)
{
	for (int i = 1; i < 3 && rank == 0; i++)
		MPI_Recv(in, 1, MPI_INT, i, 1, WORLD, MPI_STATUS_IGNORE);
	for (int i = 1; i < 3 && rank == 0; i++)
		MPI_Send(out, 1, MPI_INT, i, 1, WORLD);
	if (rank == 0)
		return;
	MPI_Send(out, 1, MPI_INT, 0, 1, WORLD);
	MPI_Recv(in, 1, MPI_INT, 0, 1, WORLD, MPI_STATUS_IGNORE);
}

static void all(MPI_Comm groups)
{
	MPI_Request request;
	if (rank == 2)
		barrier();
	MPI_Barrier(groups);
	if (rank == 1)
		reduction();
	MPI_Iallreduce(out, in, 1, MPI_INT, MPI_SUM, groups, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == 2)
		exchange();
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, groups);
}

static void one(MPI_Comm groups)
{
	if (rank == 0)
		root();
	MPI_Bcast(in, 1, MPI_INT, rank > 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, groups);
	if (rank == 1)
		own();
}

int main(int argc, char **argv)
{
	MPI_Comm half, groups;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	meet();
	MPI_Comm_split(WORLD, rank > 1, rank, &half);
	MPI_Intercomm_create(half, 0, WORLD, rank > 1 ? 0 : 2, 1, &groups);
	meet();
	all(groups);
	meet();
	one(groups);
	MPI_Finalize();
	return 0;
}
