/* A loop over MPI_Parrived waits for the part, which is made ready late. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.6 */
/* truth: 1 0 USEFUL 0.1 */
/* truth: 1 0 OSYNC_LATESEND 0.5 */
/* culprit: 0 0 OSYNC_LATESEND 0.2 first */
/* culprit: 0 0 OSYNC_LATESEND 0.3 second */
/* mpich advice: SENDER_LATE MPI_Parrived */
/* openmpi advice: SENDER_LATE MPI_Recv */
#include <mpi.h>
#include "known.h"

static void first(void) { work(0.2); }
static void second(void) { work(0.4); }

#if MPI_VERSION >= 4
enum { PARTS = 2 };
static MPI_Request request;

static void arrive(void)
{
	for (int part = 0; part < PARTS; part++)
		for (int done = 0; !done;)
			MPI_Parrived(request, part, &done);
}
#endif

int main(int argc, char **argv)
{
	int rank, value[2] = { 0 };
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if MPI_VERSION >= 4
	if (rank == 0)
		MPI_Psend_init(value, PARTS, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
			       &request);
	else
		MPI_Precv_init(value, PARTS, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
			       &request);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request);
		if (rank == 0) {
			(i ? second : first)();
			MPI_Pready_range(0, PARTS - 1, request);
		} else {
			if (i)
				work(0.1);
			arrive();
		}
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
#else
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 2; i++) {
		if (rank == 0) {
			(i ? second : first)();
			MPI_Send(value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
		} else {
			if (i)
				work(0.1);
			MPI_Recv(value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
#endif
	MPI_Finalize();
	return 0;
}
