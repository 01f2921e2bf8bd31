/* mpi.c - what MPI calls cost: nanoseconds a call, `KEY VALUE` lines.
 *
 * One rank: calls that communicate with nobody, in CPU time; built plain and with sisc
 * --sis-cr=CR_MPI, the difference is the wrappers'. Two ranks: with each other, wall time, each
 * call in turn with its PMPI twin, which is not measured: a message between two processors takes
 * 200 to 1400 ns, as it comes, and the same for some milliseconds only. The ratio is the median of
 * those of the pairs.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank, size;
static double in = 1, out;

static void iprobe(long n)
{
	int flag;
	for (; n > 0; n--)
		MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void sendrecv(long n)
{
	for (; n > 0; n--)
		MPI_Sendrecv(&in, 1, MPI_DOUBLE, 0, 1, &out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
}

static void nonblocking(long n) /* a third each: so many calls in all */
{
	for (; n > 0; n -= 3) {
		MPI_Request request[2];
		MPI_Status status[2];
		MPI_Irecv(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request[0]);
		MPI_Isend(&in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request[1]);
		MPI_Waitall(2, request, status);
	}
}

#define CALLS(X) \
	static void X##barrier(long n) \
	{ \
		for (; n > 0; n--) \
			X##Barrier(MPI_COMM_WORLD); \
	} \
	static void X##allreduce(long n) \
	{ \
		for (; n > 0; n--) \
			X##Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); \
	} \
	static void X##pingpong(long n) \
	{ \
		for (; n > 0; n--) \
			if (rank == 0) { \
				X##Send(&in, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD); \
				X##Recv(&out, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, \
					MPI_STATUS_IGNORE); \
			} else { \
				X##Recv(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, \
					MPI_STATUS_IGNORE); \
				X##Send(&in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); \
			} \
	}
CALLS(MPI_)
CALLS(PMPI_)

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *value, int n)
{
	qsort(value, (size_t)n, sizeof *value, compare);
	return value[n / 2];
}

static double now_ns(void)
{
	struct timespec t;
	if (size > 1)
		return PMPI_Wtime() * 1e9;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_of(void (*calls)(long), long n)
{
	double start = now_ns();
	calls(n);
	return (now_ns() - start) / (double)n;
}

static void measure(const char *key, void (*calls)(long), long n)
{
	enum { REPETITIONS = 9 };
	double ns[REPETITIONS];
	for (int r = 0; r < REPETITIONS; r++)
		ns[r] = time_of(calls, n);
	printf("%s %.2f\n", key, median(ns, REPETITIONS));
}

static void measure_pair(const char *key, void (*calls)(long), void (*plain)(long), long n)
{
	enum { PAIRS = 301 };
	static double ns[PAIRS], plain_ns[PAIRS], ratio[PAIRS];
	for (int r = 0; r < PAIRS; r++) {
		plain_ns[r] = time_of(plain, n);
		ns[r] = time_of(calls, n);
		ratio[r] = ns[r] / plain_ns[r];
	}
	if (rank == 0)
		printf("%s %.2f\n%s_plain %.2f\n%s_ratio %.4f\n", key, median(ns, PAIRS), key,
		       median(plain_ns, PAIRS), key, median(ratio, PAIRS));
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
		measure("nonblocking_self", nonblocking, 3 * n);
		measure("barrier_self", MPI_barrier, n);
		measure("allreduce_self", MPI_allreduce, n);
	} else {
		measure_pair("pingpong", MPI_pingpong, PMPI_pingpong, n / 10);
		measure_pair("barrier", MPI_barrier, PMPI_barrier, n / 10);
		measure_pair("allreduce", MPI_allreduce, PMPI_allreduce, n / 10);
	}
	MPI_Finalize();
	return 0;
}
