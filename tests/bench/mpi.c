/* mpi.c - what MPI calls cost: nanoseconds a call, `KEY VALUE` lines.
 *
 *   mpi [N [paused]]    `paused`: the calls of one rank while measurement is paused
 *
 * Each kind of call is timed in turn with its twin: the library's own routine, which is called by
 * its address and not measured. With one rank, the calls communicate with no other process, and the
 * time is CPU time. With two ranks, they communicate with each other, and the time is wall time. A
 * message between two processors takes 200 to 1400 ns, and this time stays the same for some
 * milliseconds only. So each time is compared with that of the twin beside it: KEY_added is the
 * median of the differences, KEY_ratio the median of the ratios.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REQUESTS = 4 };
static int rank, size;
static double in = 1, out;
static MPI_Request pending[REQUESTS]; /* receives whose messages never come */

#define ROUTINES(X) \
	X(Iprobe) X(Test) X(Testany) X(Comm_rank) X(Pack_size) X(Sendrecv) X(Irecv) X(Isend) \
	X(Waitall) X(Barrier) X(Allreduce) X(Recv) X(Send)
#define POINTER(name) static __typeof__(MPI_##name) *plain_##name;
ROUTINES(POINTER)

/* Finds the library's routines. The runtime interposes dlsym, too, but not dlvsym, which finds
 * libc's dlsym. */
static int find_plain(void)
{
	static const char *const libraries[] = { "libmpich.so.12", "libmpi.so.40", "libmpi.so.12" };
	void *(*find)(void *, const char *) = NULL, *library = NULL;
	*(void **)&find = dlvsym(RTLD_DEFAULT, "dlsym", "GLIBC_2.2.5");
	for (int i = 0; i < 3 && !library; i++)
		library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
	if (!find || !library)
		return 0;
	int found = 1;
#define FIND(name) found &= (*(void **)&plain_##name = find(library, "PMPI_" #name)) != NULL;
	ROUTINES(FIND)
	return found;
}

/* `nonblocking` makes three calls in each step: so many calls in all. */
#define CALLS(X) \
	static void X##iprobe(long n) \
	{ \
		int flag; \
		for (; n > 0; n--) \
			X##Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); \
	} \
	static void X##test(long n) \
	{ \
		int flag; \
		for (; n > 0; n--) \
			X##Test(pending, &flag, MPI_STATUS_IGNORE); \
	} \
	static void X##testany(long n) \
	{ \
		int flag, index; \
		for (; n > 0; n--) \
			X##Testany(REQUESTS, pending, &index, &flag, MPI_STATUS_IGNORE); \
	} \
	static void X##rank(long n) \
	{ \
		int me; \
		for (; n > 0; n--) \
			X##Comm_rank(MPI_COMM_WORLD, &me); \
	} \
	static void X##pack_size(long n) \
	{ \
		int bytes; \
		for (; n > 0; n--) \
			X##Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &bytes); \
	} \
	static void X##sendrecv(long n) \
	{ \
		for (; n > 0; n--) \
			X##Sendrecv(&in, 1, MPI_DOUBLE, 0, 1, &out, 1, MPI_DOUBLE, 0, 1, \
				    MPI_COMM_WORLD, MPI_STATUS_IGNORE); \
	} \
	static void X##nonblocking(long n) \
	{ \
		MPI_Request request[2]; \
		MPI_Status status[2]; \
		for (; n > 0; n -= 3) { \
			X##Irecv(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request[0]); \
			X##Isend(&in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request[1]); \
			X##Waitall(2, request, status); \
		} \
	} \
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
CALLS(plain_)

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
		return MPI_Wtime() * 1e9;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_of(void (*calls)(long), long n)
{
	double start = now_ns();
	calls(n);
	return (now_ns() - start) / (double)n;
}

static void measure(const char *key, void (*calls)(long), void (*plain)(long), long n)
{
	enum { PAIRS = 301 };
	static double ns[PAIRS], plain_ns[PAIRS], ratio[PAIRS], added[PAIRS];
	for (int r = 0; r < PAIRS; r++) {
		plain_ns[r] = time_of(plain, n);
		ns[r] = time_of(calls, n);
		ratio[r] = ns[r] / plain_ns[r];
		added[r] = ns[r] - plain_ns[r];
	}
	if (rank == 0)
		printf("%s %.2f\n%s_plain %.2f\n%s_ratio %.4f\n%s_added %.2f\n", key,
		       median(ns, PAIRS), key, median(plain_ns, PAIRS), key, median(ratio, PAIRS),
		       key, median(added, PAIRS));
}

#define MEASURE(key, calls, n) measure(key, MPI_##calls, plain_##calls, n)

static void measure_alone(long n, int paused)
{
	for (int i = 0; i < REQUESTS; i++)
		MPI_Irecv(&out, 1, MPI_DOUBLE, 0, 2 + i, MPI_COMM_WORLD, &pending[i]);
	if (paused)
		MPI_Pcontrol(0);
	MEASURE("iprobe", iprobe, n);
	MEASURE("test", test, n);
	MEASURE("testany", testany, n);
	MEASURE("rank", rank, n);
	MEASURE("pack_size", pack_size, n);
	MEASURE("nonblocking_self", nonblocking, n);
	MEASURE("sendrecv_self", sendrecv, n);
	MEASURE("barrier_self", barrier, n);
	MEASURE("allreduce_self", allreduce, n);
	if (paused)
		MPI_Pcontrol(1);
	for (int i = 0; i < REQUESTS; i++) {
		MPI_Cancel(&pending[i]);
		MPI_Wait(&pending[i], MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 3000;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!find_plain()) {
		fprintf(stderr, "mpi: error: no library of MPI whose routines can be found\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	if (size == 1) {
		measure_alone(n, argc > 2 && !strcmp(argv[2], "paused"));
	} else {
		MEASURE("pingpong", pingpong, n);
		MEASURE("barrier", barrier, n);
		MEASURE("allreduce", allreduce, n);
	}
	MPI_Finalize();
	return 0;
}
