/* messages_other.c - messages between two groups, and one-sided transfers. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, x[9] = { 0 }, y[9] = { 0 };
	MPI_Comm half, other;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0, 7, &other);
	MPI_Comm_set_name(other, "coupling");
	if (rank == 0) {
		MPI_Send(x, 5, MPI_INT, 1, 1, other); /* which is rank 2 */
		MPI_Recv(x, 9, MPI_INT, 0, 2, other, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Send(x, 7, MPI_INT, 0, 2, other);
	} else {
		MPI_Recv(x, 9, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
	}
	MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	MPI_Win_fence(0, window);
	if (rank == 0) {
		MPI_Put(y, 3, MPI_INT, 1, 0, 3, MPI_INT, window);
		MPI_Get(y, 2, MPI_INT, 2, 0, 2, MPI_INT, window);
		MPI_Accumulate(y + 2, 1, MPI_INT, 2, 2, 1, MPI_INT, MPI_SUM, window);
	}
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
	MPI_Comm_free(&other);
	MPI_Comm_free(&half);
	MPI_Finalize();
	return 0;
}
