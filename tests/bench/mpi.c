/* mpi.c - what MPI calls cost: nanoseconds a call, `KEY VALUE` lines. Built plain and with sisc --sis-cr=CR_MPI, the
 * difference is the wrappers'. One rank: calls that communicate with nobody, in CPU time. Two: with each other, wall time.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank, size;

static void iprobe(void)
{
	int flag;
	MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void allreduce(void)
{
	double in = 1, out;
	MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void sendrecv(void)
{
	double in = 1, out;
	MPI_Sendrecv(&in, 1, MPI_DOUBLE, 0, 1, &out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pingpong(void)
{
	double value = 1;
	if (rank == 0) {
		MPI_Send(&value, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
		MPI_Recv(&value, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(&value, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&value, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double now_ns(void)
{
	struct timespec t;
	if (size > 1)
		return MPI_Wtime() * 1e9;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(const char *key, void (*call)(void), long n)
{
	enum { REPETITIONS = 9 };
	double ns[REPETITIONS];
	for (int r = 0; r < REPETITIONS; r++) {
		double start = now_ns();
		for (long i = 0; i < n; i++)
			call();
		ns[r] = (now_ns() - start) / (double)n;
	}
	qsort(ns, REPETITIONS, sizeof *ns, compare);
	if (rank == 0)
		printf("%s %.2f\n", key, ns[REPETITIONS / 2]);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 20000;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size == 1) {
		measure("iprobe", iprobe, 10 * n);
		measure("sendrecv_self", sendrecv, n);
	}
	measure(size == 1 ? "barrier_self" : "barrier", barrier, n);
	measure(size == 1 ? "allreduce_self" : "allreduce", allreduce, n);
	if (size == 2)
		measure("pingpong", pingpong, n);
	MPI_Finalize();
	return 0;
}
