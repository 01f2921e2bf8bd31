/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_unify.c - what the ranks do together so that there is one file for all of them (unify.h). The
 * thread that is in MPI_Finalize, inside the call. MPI_Finalize first deletes the attributes of
 * MPI_COMM_SELF, and the runtime's is the last of these. So all of the program's own messages are
 * over, and programs that call PMPI_Finalize come here, too.
 *
 *      agree     all ranks take part, with the same version of this library
 *      gather    definitions go up a binomial tree and are merged on the way; a rank that has
 *                nothing to add sends a checksum
 *      spread    rank 0 sends the definitions of all to all ranks; from these each rank computes
 *                the size of its part
 *      place     rank 0 gathers the sizes, makes the file and sends each rank the offset of its
 *                part
 *
 * The first step waits for late ranks, as MPI_Finalize itself would. After it every rank takes
 * every step, whatever fails: a failure is sent like a result, and so is a timeout. So no rank
 * waits for an answer that does not come, and no request is left when MPI ends. A rank that waits
 * sleeps, since there may be more ranks than processors.
 */
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/futex.h"
#include "base/kernel_clock.h"
#include "profile/text.h"
#include "merged_file/unify.h"
#include "core/drg.h"
#include "mpi/mpi_call.h"

enum { TAG_OFFER = 1, TAG_ANSWER, TAG_DEFINITIONS };
#define LOOK_NS UINT64_C(5000000000)  /* between checks whether late ranks can still come */
#define GRACE_NS UINT64_C(2000000000)
static const uint64_t bytes_most = 1u << 30; /* of definitions: a count of MPI is an int */

struct unify {
	MPI_Comm comm;
	int rank, size;
	uint64_t began_ns;
	bool good;             /* nothing has failed in this rank and those below it */
	struct sis_bytes defs; /* of this rank and those below it; at the end of all */
};

static void nap(unsigned times)
{
	sis__nap(times < 10 ? 0 : times < 100 ? 20000 : 500000);
}

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

static bool send_to(struct unify *u, int rank, int tag, const void *from, uint64_t bytes)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int code = PMPI_Isend(from, (int)bytes, MPI_BYTE, rank, tag, u->comm, &request);
	return done(request, code);
}

static bool receive_from(struct unify *u, int rank, int tag, void *to, uint64_t bytes)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int code = PMPI_Irecv(to, (int)bytes, MPI_BYTE, rank, tag, u->comm, &request);
	return done(request, code);
}

static bool spread(struct unify *u, void *what, uint64_t bytes)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int code = PMPI_Ibcast(what, (int)bytes, MPI_BYTE, 0, u->comm, &request);
	return done(request, code);
}

static bool in_time(const struct unify *u)
{
	bool yes = sis__clock_ns(CLOCK_MONOTONIC) - u->began_ns < sis__config.unify_ns;
	if (!yes)
		sis__warn(
			"one file for all ranks takes longer than SIS_UNIFY_TIMEOUT allows; every "
			"rank keeps a "
			"file of its own");
	return yes;
}

/* -- agree ------------------------------------------------------------------------------------- */

/* Whether the request is done by that time. One that fails is done, too; its data stay zeros. */
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

/* Late ranks may not come at all. Then the request is abandoned, and nothing completes it. A rank
 * that learns of that before it takes part does not begin. If the last rank had begun just before,
 * the request completes within GRACE_NS in all ranks. */
static bool arrived(MPI_Request request)
{
	bool here = false, off = false;
	for (int looks = 0; !here && !off; looks++) {
		here = done_by(&request, sis__clock_ns(CLOCK_MONOTONIC) + LOOK_NS);
		off = !here && sis__unify_is_off(looks);
	}
	return here || done_by(&request, sis__clock_ns(CLOCK_MONOTONIC) + GRACE_NS);
}

/* All ranks have the same number if its minimum equals its maximum. The maximum is minus the
 * minimum of the negative numbers. */
static bool agree(bool willing)
{
	static int64_t mine[3], all[3]; /* static: the request may be abandoned */
	MPI_Request request = MPI_REQUEST_NULL;
	mine[0] = willing;
	mine[1] = (int64_t)sis__unify_kind();
	mine[2] = -mine[1];
	if (PMPI_Iallreduce(mine, all, 3, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD, &request) !=
	    MPI_SUCCESS)
		return false;
	return arrived(request) && all[0] && all[1] == -all[2];
}

static MPI_Comm own_comm(void)
{
	MPI_Comm comm = MPI_COMM_NULL;
	MPI_Group group;
	if (PMPI_Comm_group(MPI_COMM_WORLD, &group) != MPI_SUCCESS)
		return comm;
	if (PMPI_Comm_create(MPI_COMM_WORLD, group, &comm) != MPI_SUCCESS)
		comm = MPI_COMM_NULL;
	PMPI_Group_free(&group);
	return comm;
}

/* -- gather ------------------------------------------------------------------------------------ */

struct offer { uint64_t good, bytes, checksum; };

static void offer_up(struct unify *u, int to)
{
	struct offer offer = { u->good, u->defs.used, sis_checksum(u->defs.at, u->defs.used) };
	uint64_t wanted = 0;
	if (!send_to(u, to, TAG_OFFER, &offer, sizeof offer) ||
	    !receive_from(u, to, TAG_ANSWER, &wanted, sizeof wanted) ||
	    (wanted && !send_to(u, to, TAG_DEFINITIONS, u->defs.at, u->defs.used)))
		u->good = false;
}

static void take_definitions(struct unify *u, int from, uint64_t bytes)
{
	unsigned char *other = malloc(bytes);
	uint64_t wanted = other != NULL;
	u->good = send_to(u, from, TAG_ANSWER, &wanted, sizeof wanted) && other &&
		  receive_from(u, from, TAG_DEFINITIONS, other, bytes) &&
		  sis__unify_merge(&u->defs, other, bytes) && u->defs.used < bytes_most;
	free(other);
}

/* The definitions of that rank may be those that this rank has, or had before it merged others. */
static void take_offer(struct unify *u, int from, uint64_t own_checksum)
{
	struct offer offer = { 0 };
	uint64_t wanted = 0;
	u->good &= receive_from(u, from, TAG_OFFER, &offer, sizeof offer) && offer.good &&
		   in_time(u);
	if (!u->good || offer.checksum == own_checksum ||
	    offer.checksum == sis_checksum(u->defs.at, u->defs.used))
		u->good &= send_to(u, from, TAG_ANSWER, &wanted, sizeof wanted);
	else
		take_definitions(u, from, offer.bytes);
}

static void gather(struct unify *u)
{
	u->good = sis__unify_definitions(&u->defs) && u->defs.used < bytes_most;
	uint64_t own_checksum = sis_checksum(u->defs.at, u->good ? u->defs.used : 0);
	for (int step = 1; step < u->size; step *= 2) {
		if (u->rank & step) {
			offer_up(u, u->rank - step);
			return;
		}
		if (u->rank + step < u->size)
			take_offer(u, u->rank + step, own_checksum);
	}
}

/* -- spread, place ----------------------------------------------------------------------------- */

/* In pieces, so that a rank without memory for all of it can still pass them on. */
static bool spread_definitions(struct unify *u, uint64_t bytes)
{
	static unsigned char spare[64 << 10];
	if (u->rank != 0) {
		sis__bytes_release(&u->defs);
		u->defs = (struct sis_bytes){ .at = malloc(bytes), .used = bytes, .room = bytes };
	}
	bool good = true;
	for (uint64_t at = 0, piece; at < bytes; at += piece) {
		piece = bytes - at < sizeof spare ? bytes - at : sizeof spare;
		good &= spread(u, u->defs.at ? u->defs.at + at : spare, piece);
	}
	return good && u->defs.at;
}

/* Only rank 0 knows whether all is well. Then it sends the id of the file, else 0. */
static uint64_t spread_all(struct unify *u)
{
	uint64_t head[2] = { 0 };
	if (u->rank == 0 && u->good && in_time(u) && sis__unify_complete(&u->defs) &&
	    u->defs.used < bytes_most) {
		head[0] = u->defs.used;
		head[1] = (u->began_ns ^ sis_checksum(u->defs.at, u->defs.used)) | 1;
	}
	if (!spread(u, head, sizeof head) || head[0] == 0)
		return 0;
	u->good = spread_definitions(u, head[0]);
	return head[1];
}

/* A rank without room keeps its own file. */
static uint64_t place(struct unify *u, uint64_t *places, uint64_t id)
{
	MPI_Request request = MPI_REQUEST_NULL;
	struct sis_bytes all = u->defs; /* still there: sis__unify_room keeps them */
	uint64_t room = u->good ? sis__unify_room(&u->defs) : 0, offset = 0;
	int code = PMPI_Igather(&room, 1, MPI_UINT64_T, places, 1, MPI_UINT64_T, 0, u->comm,
				&request);
	bool good = done(request, code);
	if (u->rank == 0 && (!good || !room || !in_time(u) || !sis__unify_create(&all, places, id)))
		memset(places, 0, (size_t)u->size * sizeof *places);
	code = PMPI_Iscatter(places, 1, MPI_UINT64_T, &offset, 1, MPI_UINT64_T, 0, u->comm,
			     &request);
	return done(request, code) ? offset : 0;
}

/* -- all of it --------------------------------------------------------------------------------- */

static void unify(struct unify *u, uint64_t *places)
{
	gather(u);
	uint64_t id = spread_all(u);
	sis__unify_commit(id ? place(u, places, id) : 0, id);
	sis__bytes_release(&u->defs);
}

static void unify_all(void)
{
	struct unify u = { 0 };
	PMPI_Comm_rank(MPI_COMM_WORLD, &u.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &u.size);
	uint64_t *places = u.rank == 0 ? calloc((size_t)u.size, sizeof *places) : NULL;
	bool willing = sis__config.enabled && (u.rank != 0 || places);
	if (sis__unify_everybody() && agree(willing)) {
		struct sis_thread *thread = sis__thread();
		uint64_t began = sis__ticks();
		u.began_ns = sis__clock_ns(CLOCK_MONOTONIC);
		u.comm = own_comm();
		if (u.comm != MPI_COMM_NULL) {
			unify(&u, places);
			PMPI_Comm_free(&u.comm);
		}
		if (thread) /* the time is a cost of the probes */
			sis__book(thread, thread->pub.current, RT_PROBE, sis__ticks() - began);
	}
	free(places);
}

/* Errors are returned to the runtime, and do not call the program's error handler. */
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
	PMPI_Comm_free_keyval(&key); /* MPI frees it when no attribute has it */
}

__attribute__((constructor)) static void announce(void)
{
	sis__unify_announce();
}
