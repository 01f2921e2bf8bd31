/* trace_ring.c - each rank sends to the next one and receives from the one before, in one call;
 * then it exchanges messages with both, which one call completes. */
#include <mpi.h>

enum { LARGE = 1 << 18, ROUNDS = 10 };
static int from[LARGE], to[LARGE];

int main(int argc, char **argv)
{
	int rank, size;
	MPI_Status status[4];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int next = (rank + 1) % size, last = (rank + size - 1) % size;
	for (int i = 0; i < ROUNDS; i++)
		MPI_Sendrecv(from, LARGE, MPI_INT, next, 5, to, LARGE, MPI_INT, last, 5,
			     MPI_COMM_WORLD, status);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Request request[4];
		MPI_Irecv(to, 10, MPI_INT, next, 1, MPI_COMM_WORLD, request);
		MPI_Irecv(to + 10, 20, MPI_INT, last, 2, MPI_COMM_WORLD, request + 1);
		MPI_Isend(from, 20, MPI_INT, next, 2, MPI_COMM_WORLD, request + 2);
		MPI_Isend(from, 10, MPI_INT, last, 1, MPI_COMM_WORLD, request + 3);
		MPI_Waitall(4, request, status);
	}
	MPI_Finalize();
	return 0;
}
