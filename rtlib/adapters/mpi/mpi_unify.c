/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_unify.c - the steps by which the ranks make one file for all of them (unify.h). MPI_Finalize
 * first deletes the attributes of MPI_COMM_SELF, the runtime's attribute last. The code here is
 * called for that deletion. So this code runs after all messages of the program, and also in
 * programs that call PMPI_Finalize.
 *
 *      agree     whether all ranks take part, with the same format of the file; the file's id, and
 *                which descriptions rank 0 has
 *      assign    rank 0 gathers the sizes of the parts, makes the file and sends each rank the
 *                offset of its part
 *
 * The first step waits for late ranks, as MPI_Finalize itself would. After it every rank takes
 * every step, even if something fails: failures and timeouts are sent like results. So no rank
 * waits for a message that does not come, and no request is left when MPI ends. A rank sleeps while
 * it waits, because there may be more ranks than processors.
 */
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/futex.h"
#include "base/kernel_clock.h"
#include "output/profile/text.h"
#include "output/merged_file/unify.h"
#include "measure/core/drg.h"
#include "adapters/mpi/mpi_call.h"

#define LOOK_NS UINT64_C(5000000000)  /* between two checks whether late ranks can still come */
#define GRACE_NS UINT64_C(2000000000)

static void nap(unsigned times)
{
	sis__nap(times < 10 ? 0 : times < 100 ? 20000 : 500000);
}

/* -- agree ------------------------------------------------------------------------------------- */

/* Whether the request is complete by `when_ns`. A request that fails counts as complete; its data
 * stay zero. */
static bool done_by(MPI_Request *request, uint64_t when_ns)
{
	int flag = 0;
	for (unsigned times = 0; !flag && sis__clock_ns(CLOCK_MONOTONIC) < when_ns; times++) {
		if (PMPI_Test(request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return true;
		if (!flag)
			nap(times);
	}
	return flag;
}

/* Late ranks may never come. Then the request is abandoned, and never completes. A rank that learns
 * of this before it takes part does not begin. If the last rank has begun just before, the request
 * nevertheless completes in all ranks, within GRACE_NS. */
static bool arrived(MPI_Request request)
{
	bool here = false, off = false;
	for (int looks = 0; !here && !off; looks++) {
		here = done_by(&request, sis__clock_ns(CLOCK_MONOTONIC) + LOOK_NS);
		off = !here && sis__unify_is_off(looks);
	}
	return here || done_by(&request, sis__clock_ns(CLOCK_MONOTONIC) + GRACE_NS);
}

/* For each number, the smallest of all ranks is computed. For a number that rank 0 decides, the
 * other ranks pass the largest possible value. All ranks have the same version if the smallest
 * version equals the largest one. The largest one is computed as the smallest of the negative
 * versions. */
enum { WILLING, VERSION, NEGATIVE, ID, DESCRIPTIONS, NUMBERS };
static int64_t all[NUMBERS]; /* static: the request may be abandoned */

static bool agree(bool willing, int rank)
{
	static int64_t mine[NUMBERS];
	int64_t descriptions = (int64_t)sis__unify_descriptions();
	MPI_Request request = MPI_REQUEST_NULL;
	mine[WILLING] = willing;
	mine[VERSION] = SIS_UNIFIED_VERSION;
	mine[NEGATIVE] = -mine[VERSION];
	mine[ID] = rank == 0 ? (int64_t)sis__clock_ns(CLOCK_REALTIME) : INT64_MAX;
	mine[DESCRIPTIONS] = rank == 0 ? descriptions : INT64_MAX;
	if (PMPI_Iallreduce(mine, all, NUMBERS, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD, &request) !=
	    MPI_SUCCESS)
		return false;
	return arrived(request) && all[VERSION] == -all[NEGATIVE] && all[WILLING];
}

/* -- assign ------------------------------------------------------------------------------------ */

static bool done(MPI_Request request, int code)
{
	int flag = 0;
	for (unsigned times = 0; code == MPI_SUCCESS && !flag; times++) {
		code = PMPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		if (!flag)
			nap(times);
	}
	return code == MPI_SUCCESS;
}

static bool in_time(uint64_t began_ns)
{
	bool yes = sis__clock_ns(CLOCK_MONOTONIC) - began_ns < sis__config.unify_ns;
	if (!yes)
		sis__warn(
			"one file for all ranks takes longer than SIS_UNIFY_TIMEOUT allows; every "
			"rank keeps a "
			"file of its own");
	return yes;
}

/* The offset of this rank's part in the file; 0: the rank keeps its own file. In rank 0, `offsets`
 * has room for the offsets of all ranks. */
static uint64_t assign(int rank, int size, uint64_t *offsets)
{
	MPI_Request request = MPI_REQUEST_NULL;
	uint64_t began_ns = sis__clock_ns(CLOCK_MONOTONIC);
	uint64_t room = sis__unify_room((uint64_t)all[DESCRIPTIONS]), offset = 0;
	int code = PMPI_Igather(&room, 1, MPI_UINT64_T, offsets, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD,
				&request);
	bool good = done(request, code);
	if (rank == 0 && (!good || !room || !in_time(began_ns) ||
			  !sis__unify_create(offsets, (uint64_t)all[ID])))
		memset(offsets, 0, (size_t)size * sizeof *offsets);
	code = PMPI_Iscatter(offsets, 1, MPI_UINT64_T, &offset, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD,
			     &request);
	return done(request, code) ? offset : 0;
}

/* -- all of it --------------------------------------------------------------------------------- */

static void unify_all(void)
{
	int rank = 0, size = 0;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	uint64_t *offsets = rank == 0 ? calloc((size_t)size, sizeof *offsets) : NULL;
	bool willing = sis__config.enabled && (rank != 0 || offsets);
	if (sis__unify_everybody() && agree(willing, rank)) {
		struct sis_thread *thread = sis__thread();
		uint64_t began = sis__ticks();
		sis__unify_commit(assign(rank, size, offsets), (uint64_t)all[ID]);
		if (thread) /* the time is a cost of the probes */
			sis__book(thread, thread->pub.current, RT_PROBE, sis__ticks() - began);
	}
	free(offsets);
}

/* Errors of these calls are returned to the runtime; the program's error handler is not called. */
static int at_finalize(MPI_Comm self, int key, void *value, void *state)
{
	MPI_Errhandler before;
	(void)self, (void)key, (void)value, (void)state;
	if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before) != MPI_SUCCESS)
		return MPI_SUCCESS;
	PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	unify_all();
	PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
	if (before != MPI_ERRORS_ARE_FATAL && before != MPI_ERRORS_RETURN)
		PMPI_Errhandler_free(&before);
	return MPI_SUCCESS;
}

void sis__mpi_unify_begin(int rank, int size)
{
	int key = MPI_KEYVAL_INVALID;
	if (!sis__unify_begin(rank, size))
		return;
	if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL) != MPI_SUCCESS)
		return;
	PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
	PMPI_Comm_free_keyval(&key); /* MPI frees the key when no attribute has it any more */
}

__attribute__((constructor)) static void announce(void)
{
	sis__unify_announce();
}
