/* Collectives that one call begins and another one completes. A process in the second call waits
 * for the late process; it moves no data. All processes take equally long for each step, so no step
 * is late because of the previous one. */
/* run: 3 1 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 0 0 OSYNC_NXN 0.7 */
/* truth: 0 0 OSYNC_LATEBCAST 0.2 */
/* truth: 0 0 OSYNC_EARLYRED 0.2 */
/* truth: 1 0 USEFUL 1.0 */
/* truth: 1 0 OSYNC_MBAR 0.2 */
/* truth: 1 0 OSYNC_LATEBCAST 0.2 */
/* truth: 1 0 OSYNC_NXN 0.2 */
/* truth: 2 0 USEFUL 0.9 */
/* truth: 2 0 OSYNC_MBAR 0.2 */
/* truth: 2 0 OSYNC_NXN 0.5 */
/* advisable: PROCESSES_UNEVEN MPI_Wait */
/* advisable: PROCESSES_UNEVEN MPI_Waitall */
/* advisable: PROCESSES_LATE MPI_Wait */
/* advice: PROCESSES_LATE MPI_Waitall */
/* advice: PROCESSES_LATE MPI_Wait */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
static int rank, one = 1, sum[2], got;
static MPI_Request request[2];
static MPI_Status status[2];

static void compute(double seconds) { work(seconds); }

static void late_barrier(void)
{
	if (rank == 0)
		compute(0.2);
	MPI_Ibarrier(WORLD, request);
	MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void overlapped(void) /* nobody waits */
{
	MPI_Iallreduce(&one, sum, 1, MPI_INT, MPI_SUM, WORLD, request);
	compute(0.2);
	MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void half_overlapped(void)
{
	if (rank == 1)
		compute(0.3);
	MPI_Iallreduce(&one, sum, 1, MPI_INT, MPI_SUM, WORLD, request);
	if (rank != 1)
		compute(0.1);
	MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void late_root(void)
{
	if (rank == 2)
		compute(0.2);
	MPI_Ibcast(&one, 1, MPI_INT, 2, WORLD, request);
	MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void early_root(void) /* a rank that is not the root waits for none */
{
	if (rank == 2)
		compute(0.2);
	MPI_Ireduce(&one, sum, 1, MPI_INT, MPI_SUM, 0, WORLD, request);
	MPI_Wait(request, MPI_STATUS_IGNORE);
	if (rank == 1)
		compute(0.2);
}

static void beside_a_message(void) /* one call that waits for both is one wait */
{
	if (rank == 1) {
		compute(0.1);
		MPI_Send(&one, 1, MPI_INT, 0, 7, WORLD);
		compute(0.2);
	}
	MPI_Iallreduce(&one, sum, 1, MPI_INT, MPI_SUM, WORLD, request);
	if (rank == 0)
		MPI_Irecv(&got, 1, MPI_INT, 1, 7, WORLD, &request[1]);
	MPI_Waitall(rank == 0 ? 2 : 1, request, status);
}

static void persistent(void)
{
#if MPI_VERSION >= 4
	for (int i = 0; i < 2; i++)
		MPI_Allreduce_init(&one, &sum[i], 1, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL,
				   &request[i]);
	for (int round = 0; round < 2; round++) {
		if (rank == 2)
			compute(0.1);
		MPI_Startall(2, request);
		MPI_Waitall(2, request, status);
	}
	for (int i = 0; i < 2; i++)
		MPI_Request_free(&request[i]);
#else
	for (int round = 0; round < 2; round++) {
		if (rank == 2)
			compute(0.1);
		for (int i = 0; i < 2; i++)
			MPI_Iallreduce(&one, &sum[i], 1, MPI_INT, MPI_SUM, WORLD, &request[i]);
		MPI_Waitall(2, request, status);
	}
#endif
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Barrier(WORLD);
	late_barrier();
	overlapped();
	half_overlapped();
	late_root();
	early_root();
	beside_a_message();
	persistent();
	MPI_Finalize();
	return 0;
}
