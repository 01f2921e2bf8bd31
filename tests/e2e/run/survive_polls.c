/* survive_polls.c - rank 1 polls for a message that rank 0 never sends: rank 0 is killed. */
#include <mpi.h>
#include <signal.h>
#include <string.h>

#include "work.h"

static void test(void)
{
	int n, done = 0;
	MPI_Request request;
	MPI_Irecv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
	while (!done)
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void probe(void)
{
	for (int found = 0; !found;)
		MPI_Iprobe(0, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		rest(500);
		raise(SIGKILL);
	}
	(strcmp(argv[1], "test") == 0 ? test : probe)();
	MPI_Finalize();
	return 0;
}
