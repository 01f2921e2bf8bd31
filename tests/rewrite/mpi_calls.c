#include <mpi.h>
#include <stdio.h>
#define CHECK(call) do { if ((call) != MPI_SUCCESS) return 1; } while (0)
int main(int argc, char **argv)
{
	int rank, size, in = 1, out = 0;
	MPI_Request request;
	if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
	MPI_Irecv(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request), MPI_Send(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (size > 0) MPI_Barrier(MPI_COMM_WORLD); else MPI_Abort(MPI_COMM_WORLD, 1);
	double t = MPI_Wtime();
	printf("%d %d %d\n", rank, out, t > 0);
	return MPI_Finalize();
}
