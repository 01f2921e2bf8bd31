/* Rank 0 collects from all others with MPI_Waitall; the last rank sends late, for it first computes
 * statistics that nobody waits for. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: statistics */
/* remedy: SENDER_LATE SENDER_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include "own_log.h"

static int rank, size;

static void share(void) { compute(0.02); }
static void statistics(void) { compute(0.06); }

static void collect(int step)
{
	MPI_Request request[8] = { MPI_REQUEST_NULL };
	MPI_Status status[8];
	int value[8];
	for (int i = 1; i < size; i++)
		MPI_Irecv(&value[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &request[i]);
	share();
	own_until("mpi-values", step, 0);
	MPI_Waitall(size, request, status);
	own_done();
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	for (int step = 0; step < 7; step++) {
		if (rank == 0) {
			collect(step);
		} else {
			share();
			if (rank == size - 1)
				statistics();
			own_release("mpi-values", step, 0);
			MPI_Send(&step, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		}
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
