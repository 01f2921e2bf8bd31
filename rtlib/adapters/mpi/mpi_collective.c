/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_collective.c - records of collectives, and their bytes. Called by the wrapper's thread after
 * its call has ended.
 *
 * All members call the collectives of a communicator in the same order. So the number of a
 * collective on its communicator identifies it in the whole run. Members that are not measured
 * count their collectives, too; otherwise their numbers would differ.
 */
#include "adapters/mpi/mpi_fast_path.h"

struct sis_mpi_comm *sis__mpi_collective(struct sis_mpi_call *call, enum sis_record_kind kind,
					 MPI_Comm comm, int root)
{
	struct sis_mpi_comm *c = sis__mpi_collective_quick(call, kind, comm, root);
	return call->thread ? c : NULL;
}

/* -- with a request: begun by one call, done in another ---------------------------------------- */

void sis__mpi_collective_started(const struct sis_mpi_call *call, struct sis_mpi_request *request)
{
	if (request->persistent)
		sis__mpi_count(call, 0, 0, request->bytes, request->received);
	if (request->comm == SIS_UNMATCHED)
		return;
	sis__mpi_record(call, (struct sis_record){ .kind = (uint16_t)request->tag,
						   .comm = request->comm,
						   .peer = request->peer,
						   .tag = -1,
						   .serial = request->number,
						   .flags = SIS_RECORD_BEGUN });
}

static struct sis_mpi_request prepared(const struct sis_mpi_comm *comm, enum sis_record_kind kind,
				       int root, uint64_t number)
{
	return (struct sis_mpi_request){ .kind = SIS_REQUEST_COLLECTIVE,
					 .comm = comm->id,
					 .peer = sis__mpi_root(kind, comm, root),
					 .tag = (int32_t)kind,
					 .number = number };
}

struct sis_mpi_comm *sis__mpi_collective_begun(struct sis_mpi_call *call, enum sis_record_kind kind,
					       MPI_Comm comm, int root, MPI_Request request)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	if (!c)
		return NULL;
	struct sis_mpi_request begun = prepared(c, kind, root, sis__mpi_comm_serial(c));
	if (!call->thread)
		return NULL;
	begun.active = true;
	sis__mpi_request_add(SIS_KEY(request), &begun);
	sis__mpi_collective_started(call, &begun);
	return !c->inter ? c : NULL;
}

/* All members make persistent requests in the same order, but may start them in different orders.
 * So the number of the k-th start of the n-th request is made of k and n. It is larger than the
 * numbers of all other collectives. */
struct sis_mpi_comm *sis__mpi_collective_init(enum sis_record_kind kind, MPI_Comm comm, int root,
					      MPI_Request request)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	if (!c)
		return NULL;
	uint64_t serial = sis__mpi_comm_serial(c);
	struct sis_mpi_request made = prepared(c, kind, root, (serial | (uint64_t)1 << 31) << 32);
	made.persistent = true;
	sis__mpi_request_add(SIS_KEY(request), &made);
	return !c->inter ? c : NULL;
}

void sis__mpi_collective_moves(MPI_Request request, uint64_t sent, uint64_t received)
{
	struct sis_mpi_shard *shard = sis__mpi_hold(SIS_KEY(request));
	struct sis_mpi_request **link = sis__mpi_request_find(shard, SIS_KEY(request));
	if (link) {
		(*link)->bytes = sent;
		(*link)->received = received;
	}
	sis__mpi_let_go(shard);
}

/* -- bytes ------------------------------------------------------------------------------------- */

uint64_t sis__mpi_bytes_v(const int *counts, const MPI_Datatype *types, int each, uint32_t members)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < members; i++)
		bytes += counts[i] ? sis__mpi_bytes(counts[i], types[each ? i : 0]) : 0;
	return bytes;
}

uint64_t sis__mpi_bytes_v_c(const MPI_Count *counts, const MPI_Datatype *types, int each,
			    uint32_t members)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < members; i++)
		bytes += counts[i] ? sis__mpi_bytes(counts[i], types[each ? i : 0]) : 0;
	return bytes;
}
