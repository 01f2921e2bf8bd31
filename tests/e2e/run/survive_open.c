/* survive_open.c - rank 1 waits for a message that rank 0 never sends: rank 0 is killed. */
#include <mpi.h>
#include <signal.h>

#include "work.h"

static void first(void) { rest(200); }
static void second(void) { rest(300); }

int main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		first();
		MPI_Send(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		second();
		raise(SIGKILL);
	}
	MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
