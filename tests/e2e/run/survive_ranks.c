/* survive_ranks.c HOW - rank 1 ends while the other ranks wait for it. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	rest(200);
	if (rank == 1) {
		if (!strcmp(argv[1], "abort"))
			MPI_Abort(MPI_COMM_WORLD, 9);
		if (!strcmp(argv[1], "segv"))
			*(volatile int *)0 = 1;
		raise(SIGKILL);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
