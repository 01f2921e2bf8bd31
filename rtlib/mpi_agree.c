/* mpi_agree.c - what the processes agree on in MPI_Init: one directory, one run id, one clock. One thread of
 * each process, in MPI_Init after the library's own part, so that no message of the program is under way.
 *
 * Processes of one host (one boot of one kernel) share CLOCK_MONOTONIC. Of every other host one process
 * measures its clock against rank 0's with round trips: the shortest one bounds the error by half its length.
 *
 * LIMIT: all processes of MPI_COMM_WORLD must have been linked with this library, or MPI_Init does not return.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi_call.h"

enum { ROUND_TRIPS = 32, TAG = 0 };

struct agreed { /* of rank 0 */
	char directory[PATH_MAX];
	char run_id[sizeof ((struct sis_profile_header *)0)->run_id];
};

enum role { SAME_CLOCK, MEASURES, IS_TOLD }; /* of a process, in the clocks' comparison */

struct offset { int64_t ns; uint64_t error_ns; };

/* -- directory -------------------------------------------------------------------------------------------- */

/* Without a directory of rank 0 everyone keeps its own; so does one that cannot see rank 0's. */
static void agree_directory(int rank)
{
	static struct agreed agreed; /* MPI_Init is called once */
	struct sis_profile_header *header = sis__header();
	const char *own = sis__store_directory();
	if (rank == 0 && own[0] && !realpath(own, agreed.directory))
		agreed.directory[0] = '\0';
	memcpy(agreed.run_id, header->run_id, sizeof agreed.run_id);
	PMPI_Bcast(&agreed, sizeof agreed, MPI_BYTE, 0, MPI_COMM_WORLD);
	if (rank == 0 || !agreed.directory[0] || !own[0])
		return;
	int failed = sis__store_move(agreed.directory);
	if (failed)
		sis__warn("cannot move the profile of rank %d to '%s': %s; it stays in '%s' (use a directory that all "
			  "nodes see)", rank, agreed.directory, strerror(-failed), own);
	else
		memcpy(header->run_id, agreed.run_id, sizeof agreed.run_id);
}

/* -- clock -------------------------------------------------------------------------------------------------- */

static int64_t monotonic_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* One value for each boot of a kernel; the host's name where there is no boot id. */
static uint64_t boot_hash(void)
{
	char id[256] = "";
	int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, id, sizeof id - 1) : -1;
	if (file >= 0)
		close(file);
	if (length <= 0)
		gethostname(id, sizeof id - 1);
	return sis_checksum(id, sizeof id);
}

/* Rank 0: the first process of every other host measures. */
static void give_roles(const uint64_t *boot, int *role, int size)
{
	bool same = true;
	for (int i = 1; i < size; i++) {
		int first = 0;
		while (boot[first] != boot[i])
			first++;
		same &= first == 0;
		role[i] = first == i ? MEASURES : IS_TOLD;
	}
	role[0] = IS_TOLD;
	for (int i = 0; same && i < size; i++)
		role[i] = SAME_CLOCK;
}

/* Rank 0 asks for the other's time; half-way between asking and answer it was this late here. */
static struct offset measure(int other)
{
	struct offset best = { 0, UINT64_MAX };
	for (int i = 0; i < ROUND_TRIPS; i++) {
		int64_t there = 0, asked = monotonic_ns();
		PMPI_Send(&there, 1, MPI_INT64_T, other, TAG, MPI_COMM_WORLD);
		PMPI_Recv(&there, 1, MPI_INT64_T, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		int64_t answered = monotonic_ns();
		uint64_t error = (uint64_t)(answered - asked) / 2 + 1;
		if (error < best.error_ns)
			best = (struct offset){ asked + (answered - asked) / 2 - there, error };
	}
	return best;
}

static void answer(void)
{
	for (int i = 0; i < ROUND_TRIPS; i++) {
		int64_t now;
		PMPI_Recv(&now, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		now = monotonic_ns();
		PMPI_Send(&now, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD);
	}
}

static void measure_hosts(const uint64_t *boot, const int *role, struct offset *offset, int size)
{
	offset[0] = (struct offset){ 0, 0 };
	for (int i = 1; i < size; i++) {
		int first = 0;
		while (boot[first] != boot[i])
			first++;
		offset[i] = role[i] == MEASURES ? measure(i) : offset[first];
	}
}

/* LIMIT: the offset is taken once; clocks of different hosts drift by some microseconds a second. */
static void agree_clock(int rank, int size)
{
	uint64_t own = boot_hash();
	struct offset mine = { 0, 0 };
	int role = SAME_CLOCK;
	uint64_t *boot = rank == 0 ? malloc((size_t)size * sizeof *boot) : NULL;
	int *roles = rank == 0 ? calloc((size_t)size, sizeof *roles) : NULL;
	struct offset *offset = rank == 0 ? calloc((size_t)size, sizeof *offset) : NULL;
	bool enough = rank != 0 || (boot && roles && offset);
	PMPI_Bcast(&enough, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD);
	if (!enough)
		goto out;
	PMPI_Gather(&own, 1, MPI_UINT64_T, boot, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
	if (rank == 0)
		give_roles(boot, roles, size);
	PMPI_Scatter(roles, 1, MPI_INT, &role, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (role == SAME_CLOCK)
		goto out;
	if (rank == 0)
		measure_hosts(boot, roles, offset, size);
	else if (role == MEASURES)
		answer();
	PMPI_Scatter(offset, sizeof mine, MPI_BYTE, &mine, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
	sis__header()->clock_offset_ns = mine.ns;
	sis__header()->clock_error_ns = mine.error_ns;
out:
	free(boot);
	free(roles);
	free(offset);
}

void sis__mpi_agree(int rank, int size)
{
	if (size < 2)
		return;
	agree_directory(rank);
	agree_clock(rank, size);
}
