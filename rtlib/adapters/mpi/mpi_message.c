/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_message.c - point to point: the records of sends and receives, and their requests. Called by
 * the wrapper's thread after its call has ended.
 *
 * Messages to and from MPI_PROC_NULL have no record and are not counted. A receive is counted when
 * it completes, a send when it begins.
 */
#include "adapters/mpi/mpi_fast_path.h"

void sis__mpi_send(struct sis_mpi_call *call, unsigned flags, MPI_Count count, MPI_Datatype type,
		   int peer, int tag, MPI_Comm comm)
{
	sis__mpi_send_quick(call, flags, count, type, peer, tag, comm);
}

void sis__mpi_recv(struct sis_mpi_call *call, MPI_Comm comm, const MPI_Status *status)
{
	sis__mpi_recv_quick(call, comm, status);
}

void sis__mpi_sendrecv(struct sis_mpi_call *call, MPI_Count count, MPI_Datatype type, int peer,
		       int tag, MPI_Comm comm, const MPI_Status *status)
{
	sis__mpi_sendrecv_quick(call, count, type, peer, tag, comm, status);
}

/* -- requests ---------------------------------------------------------------------------------- */

void sis__mpi_isend(struct sis_mpi_call *call, unsigned flags, MPI_Count count, MPI_Datatype type,
		    int peer, int tag, MPI_Comm comm, MPI_Request request)
{
	sis__mpi_isend_quick(call, flags, count, type, peer, tag, comm, request);
}

void sis__mpi_irecv(struct sis_mpi_call *call, int peer, int tag, MPI_Comm comm,
		    MPI_Request request)
{
	sis__mpi_irecv_quick(call, peer, tag, comm, request);
}

/* The request has one handle for two operations. So it has two records with consecutive serials,
 * and one entry in the table, which completes both. */
void sis__mpi_isendrecv(struct sis_mpi_call *call, MPI_Count count, MPI_Datatype type, int to,
			int send_tag, int from, int recv_tag, MPI_Comm comm, MPI_Request request)
{
	if (from == MPI_PROC_NULL) {
		sis__mpi_isend(call, 0, count, type, to, send_tag, comm, request);
		return;
	}
	if (to == MPI_PROC_NULL || !call->thread) {
		sis__mpi_irecv(call, from, recv_tag, comm, request);
		return;
	}
	uint64_t serial = sis__mpi_request_serials(2);
	struct sis_mpi_request both = {
		.kind = SIS_REQUEST_BOTH,
		.comm = sis__mpi_comm_id(comm),
		.peer = to,
		.tag = send_tag,
		.from = from,
		.from_tag = recv_tag,
		.bytes = sis__mpi_bytes(count, type),
		.serial = serial,
		.active = true,
	};
	struct sis_mpi_request receive = {
		.serial = serial + 1, .comm = both.comm, .peer = from, .tag = recv_tag
	};
	sis__mpi_request_add(SIS_KEY(request), &both);
	sis__mpi_activated(call, &both, SIS_RECORD_ISEND);
	sis__mpi_activated(call, &receive, SIS_RECORD_IRECV);
}

/* -- persistent requests ----------------------------------------------------------------------- */

void sis__mpi_send_init(unsigned flags, MPI_Count count, MPI_Datatype type, int peer, int tag,
			MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = {
		.kind = SIS_REQUEST_SEND, .comm = sis__mpi_comm_id(comm), .peer = peer, .tag = tag,
		.bytes = sis__mpi_bytes(count, type), .flags = (uint16_t)flags, .persistent = true,
	};
	if (peer != MPI_PROC_NULL)
		sis__mpi_request_add(SIS_KEY(request), &made);
}

void sis__mpi_recv_init(int peer, int tag, MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = {
		.kind = SIS_REQUEST_RECV,
		.comm = sis__mpi_comm_id(comm),
		.peer = peer,
		.tag = tag,
		.persistent = true,
	};
	if (peer != MPI_PROC_NULL)
		sis__mpi_request_add(SIS_KEY(request), &made);
}

void sis__mpi_start(struct sis_mpi_call *call, int count, const MPI_Request *request)
{
	sis__mpi_start_quick(call, count, request);
}

/* Partitioned sends are matched only with partitioned receives, by the arguments of these calls. */
void sis__mpi_parted_init(enum sis_mpi_request_kind kind, int parts, MPI_Count count,
			  MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = {
		.kind = (uint8_t)kind,
		.comm = sis__mpi_comm_id(comm),
		.peer = peer,
		.tag = tag,
		.from = parts,
		.bytes = (uint64_t)parts * sis__mpi_bytes(count, type),
		.flags = SIS_RECORD_PARTITIONED,
		.persistent = true,
	};
	if (peer != MPI_PROC_NULL)
		sis__mpi_request_add(SIS_KEY(request), &made);
}

/* The start of a partitioned send sends nothing. The call that makes the last part ready sends the
 * message. Several threads may make parts ready at the same time. */
void sis__mpi_ready(struct sis_mpi_call *call, int parts, MPI_Request request)
{
	struct sis_mpi_request whole = { .active = false };
	struct sis_mpi_shard *shard = sis__mpi_hold(SIS_KEY(request));
	struct sis_mpi_request **link = sis__mpi_request_find(shard, SIS_KEY(request));
	bool is_whole = link && (*link)->from_tag == parts;
	if (link) {
		(*link)->from_tag -= parts;
		whole = **link;
	}
	sis__mpi_let_go(shard);
	if (is_whole)
		sis__mpi_activated(call, &whole, SIS_RECORD_ISEND);
}

void sis__mpi_started_slow(struct sis_mpi_call *call, struct sis_mpi_request *request)
{
	if (request->kind == SIS_REQUEST_COLLECTIVE)
		sis__mpi_collective_started(call, request);
	else if (request->kind == SIS_REQUEST_PARTED_SEND)
		request->from_tag = request->from;
	else if (request->kind == SIS_REQUEST_PARTED_RECV)
		sis__mpi_message(call, SIS_RECORD_IRECV, request->comm, request->peer, request->tag,
				 0, request->serial, request->flags);
}

/* -- probes ------------------------------------------------------------------------------------ */

void sis__mpi_iprobe(struct sis_mpi_call *call, int found, int source, int tag, MPI_Comm comm,
		     const MPI_Status *status)
{
	sis__mpi_iprobe_quick(call, found, source, tag, comm, status);
}

void sis__mpi_improbe(struct sis_mpi_call *call, int found, int source, int tag, MPI_Comm comm,
		      MPI_Message message, const MPI_Status *status)
{
	sis__mpi_mprobe(found, message, comm);
	if (call->thread)
		sis__mpi_iprobe_quick(call, found, source, tag, comm, status);
}

/* -- matched probes: only the probe knows the message's communicator --------------------------- */

void sis__mpi_mprobe(int found, MPI_Message message, MPI_Comm comm)
{
	struct sis_mpi_request probed = { .comm = sis__mpi_comm_id(comm),
					  .kind = SIS_REQUEST_MESSAGE,
					  .active = true };
	if (found && message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
		sis__mpi_request_add(SIS_MESSAGE_KEY(message), &probed);
}

void sis__mpi_mrecv(struct sis_mpi_call *call, MPI_Message message, const MPI_Status *status)
{
	struct sis_mpi_request *probed = sis__mpi_request_take(SIS_MESSAGE_KEY(message));
	if (!probed)
		return;
	if (call->thread)
		sis__mpi_received(call, probed->comm, status);
	sis__mpi_request_give_back(probed);
}

void sis__mpi_imrecv(struct sis_mpi_call *call, MPI_Message message, MPI_Request request)
{
	struct sis_mpi_request *probed = sis__mpi_request_take(SIS_MESSAGE_KEY(message));
	if (!probed)
		return;
	struct sis_mpi_request made = {
		.kind = SIS_REQUEST_RECV,
		.comm = probed->comm,
		.peer = MPI_ANY_SOURCE,
		.tag = MPI_ANY_TAG,
	};
	sis__mpi_request_give_back(probed);
	sis__mpi_begun(call, &made, request, SIS_RECORD_IRECV);
}
