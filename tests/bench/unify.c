/* unify.c - ranks whose profiles have something in them: some hundred paths, messages with two
 * neighbours, collectives. Every rank but the first and the last does the same, as in most
 * programs. */
#include <mpi.h>

enum { STEPS = 50, LEVELS = 6 };

static volatile int work;

static void right(int level);
static void left(int level)
{
	work++;
	if (level > 0) {
		left(level - 1);
		right(level - 1);
	}
}

static void right(int level)
{
	work++;
	if (level > 0) {
		left(level - 1);
		right(level - 1);
	}
}

static void exchange(int rank, int size)
{
	int there = rank, here;
	if (rank + 1 < size)
		MPI_Send(&there, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
	if (rank > 0)
		MPI_Recv(&here, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(int rank, int size)
{
	int sum;
	left(LEVELS);
	exchange(rank, size);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < STEPS; i++)
		step(rank, size);
	MPI_Finalize();
	return 0;
}
