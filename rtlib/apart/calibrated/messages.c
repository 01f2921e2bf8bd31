/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - calls of MPI that a single rank can make. Measured by `sis-analyze calibrate`.
 *
 *     messages CALLS
 *
 * A collective also records the phase before it: which regions ran since the last collective.
 */
#include "apart/calibrated/stopwatch.h"

#include <mpi.h>

static void probe(long n)
{
	for (long i = 0; i < n; i++) {
		int flag;
		MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	}
}

static void test(long n)
{
	int flag, byte;
	MPI_Request request;
	MPI_Irecv(&byte, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
	for (long i = 0; i < n; i++)
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void exchange(long n)
{
	int from = 0, to = 0;
	for (long i = 0; i < n; i++) {
		MPI_Request request[2];
		MPI_Status status[2];
		MPI_Irecv(&to, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[0]);
		MPI_Isend(&from, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[1]);
		MPI_Waitall(2, request, status);
	}
}

static void barrier(long n)
{
	for (long i = 0; i < n; i++)
		MPI_Barrier(MPI_COMM_WORLD);
}

static void reduce(long n)
{
	double in = 1, out;
	for (long i = 0; i < n; i++)
		MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void phase(long n)
{
	for (long i = 0; i < n; i++) {
#pragma sis cr first begin
		__asm__ volatile("" ::: "memory");
#pragma sis end cr
#pragma sis cr second begin
		__asm__ volatile("" ::: "memory");
#pragma sis end cr
#pragma sis cr third begin
		__asm__ volatile("" ::: "memory");
#pragma sis end cr
#pragma sis cr fourth begin
		__asm__ volatile("" ::: "memory");
#pragma sis end cr
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	static const struct calls calls[] = {
		{ "MPI_Iprobe", probe },
		{ "MPI_Test", test },
		{ "MPI_Irecv, Isend and Waitall", exchange },
		{ "MPI_Barrier", barrier },
		{ "MPI_Allreduce", reduce },
		{ "MPI_Barrier, a phase of four regions", phase },
	};
	long n = stopwatch_argument(argc, argv, 1, 1);
	MPI_Init(&argc, &argv);
	calls_measure(calls, sizeof calls / sizeof *calls, n);
	MPI_Finalize();
	return 0;
}
