/* Rank 0 asks with MPI_Testsome for two messages of each other rank, which come late, and handles
 * each. 0: it does nothing between two polls; 1: it sleeps. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3, MOST = 64 };
static volatile double sink;
static int rank, size;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void busy(double seconds)
{
	for (double end = now() + seconds; now() < end;)
		for (int i = 0; i < 2000; i++)
			sink = sink * 0.999 + 0.001 * i;
}

static void prepare(int part) { busy(0.02 * (rank + part)); }
static void handle(int messages) { busy(0.004 * messages); }

static void receive(int sleeps)
{
	MPI_Request request[MOST];
	MPI_Status status[MOST];
	int data[MOST], done[MOST], found, all = 2 * (size - 1);
	for (int i = 0; i < all; i++)
		MPI_Irecv(&data[i], 1, MPI_INT, 1 + i / 2, i % 2, MPI_COMM_WORLD, &request[i]);
	for (int left = all; left > 0; left -= found) {
		MPI_Testsome(all, request, &found, done, status);
		if (found > 0)
			handle(found);
		else if (sleeps)
			usleep(300);
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < ROUNDS; i++) {
		for (int part = 0; part < 2 && rank > 0; part++) {
			prepare(part);
			MPI_Send(&i, 1, MPI_INT, 0, part, MPI_COMM_WORLD);
		}
		if (rank == 0)
			receive(atoi(argv[1]));
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
