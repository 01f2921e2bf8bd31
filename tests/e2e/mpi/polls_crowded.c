/* Rank 0 works between polls, while rank 1 uses the processor that they share. It prints the CPU
 * seconds of its loop without those of the polls. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 5, CALIBRATION = 50000 };
static volatile double sink;

static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void burn(int n)
{
	double x = 1;
	for (int i = 0; i < n; i++)
		x = x * 0.999 + 0.001 * i;
	sink = x;
}

static double poll_cost(MPI_Request *request)
{
	int done = 0;
	double begin = cpu();
	for (int i = 0; i < CALIBRATION && !done; i++)
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
	return (cpu() - begin) / CALIBRATION;
}

static long overlap(MPI_Request *request)
{
	long polls = 0;
	for (int done = 0; !done; polls++) {
		burn(400);
		burn(400);
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
	}
	return polls;
}

static void produce(double seconds)
{
	for (double end = cpu() + seconds; cpu() < end;)
		burn(20000);
}

int main(int argc, char **argv)
{
	int rank, value;
	double worked = 0, cost = 0;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < ROUNDS; i++) {
		if (rank == 1) {
			produce(0.15);
			MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
			continue;
		}
		MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		if (i == 0) {
			cost = poll_cost(&request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			continue;
		}
		double begin = cpu();
		long polls = overlap(&request);
		worked += cpu() - begin - polls * cost;
	}
	if (rank == 0)
		printf("%.3f\n", worked);
	MPI_Finalize();
	return 0;
}
