/* messages.c ROUNDS - a ring of messages, and a reduction among the even ranks. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 3, sum;
	char out[1000] = "", in[1000];
	MPI_Comm even;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &even);
	if (rank % 2 == 0)
		MPI_Comm_set_name(even, "even");
	for (int i = 0; i < rounds; i++)
		MPI_Sendrecv(out, 100 * (rank + 1), MPI_CHAR, (rank + 1) % size, 0, in, sizeof in,
			     MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, even);
	if (rank == 0 && size > 1) /* which is the last in `even` */
		MPI_Send(out, 7, MPI_CHAR, 0, 1, even);
	if (rank == size - 2)
		MPI_Recv(in, sizeof in, MPI_CHAR, 1, 1, even, MPI_STATUS_IGNORE);
	MPI_Comm_free(&even);
	MPI_Finalize();
	return 0;
}
