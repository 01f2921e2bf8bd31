/* top_ranks.c - a program that goes on until the file that its argument names is there: rank 0
 * works, the others wait for it in MPI_Recv. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
}

static int round_of(int rank, int size, int go_on)
{
	if (rank == 0) {
		nap();
		for (int to = 1; to < size; to++)
			MPI_Send(&go_on, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&go_on, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	return go_on;
}

int main(int argc, char **argv)
{
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	while (round_of(rank, size, access(argv[1], F_OK) != 0))
		;
	if (rank == 0)
		puts("done");
	MPI_Finalize();
	return 0;
}
