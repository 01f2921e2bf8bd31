/* trace_ranks.c - regions in teams of two ranks, messages between them, and a value. */
#include <mpi.h>
#include <sis/sis.h>
static void work(void)
{
	volatile int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += i;
}
int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 100; i++) {
#pragma sis cr step begin
#pragma omp parallel for
		for (int k = 0; k < 20; k++) {
#pragma sis cr inner begin
			work();
#pragma sis end cr
		}
		SIS_VALUE(progress, i);
		if (rank == 0)
			MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		else
			MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma sis end cr
	}
	MPI_Finalize();
	return 0;
}
