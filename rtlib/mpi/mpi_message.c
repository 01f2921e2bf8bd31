/* mpi_message.c - point to point: the records of sends and receives, and the requests that they leave.
 * Called by the wrapper's thread after its call has ended.
 *
 * Messages to and from MPI_PROC_NULL are none: no record, no count. A receive is counted where it
 * completes, a send where it begins.
 */
#include <stdatomic.h>

#include "mpi/mpi_call.h"

/* Sizes of predefined types, which never change: handle and size in one word, so that any thread may look and store.
 * A handle is an integer or an address, below 2^56; sizes of predefined types are far below 256. */
static _Atomic uint64_t named[64];

static __attribute__((noinline)) uint64_t bytes_slow(MPI_Count count, MPI_Datatype type, _Atomic uint64_t *place)
{
	int size = 0, integers, addresses, types, combiner = MPI_UNDEFINED;
	if (PMPI_Type_size(type, &size) != MPI_SUCCESS || size <= 0)
		return 0;
	PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
	if (combiner == MPI_COMBINER_NAMED && size < 256)
		atomic_store_explicit(place, (uint64_t)(uintptr_t)type << 8 | (uint64_t)size, memory_order_relaxed);
	return (uint64_t)count * (uint64_t)size;
}

static inline uint64_t bytes_of(MPI_Count count, MPI_Datatype type)
{
	uint64_t handle = (uint64_t)(uintptr_t)type;
	_Atomic uint64_t *place = &named[(handle * 0x9e3779b97f4a7c15u) >> 58];
	uint64_t known = atomic_load_explicit(place, memory_order_relaxed);
	if (count <= 0)
		return 0;
	return SIS_LIKELY(known && known >> 8 == handle) ? (uint64_t)count * (known & 255) : bytes_slow(count, type, place);
}

uint64_t sis__mpi_bytes(MPI_Count count, MPI_Datatype type)
{
	return bytes_of(count, type);
}

#ifdef MPICH_NUMVERSION /* and whoever shares its ABI: what PMPI_Get_count of MPI_BYTE returns, at a tenth of the time */
static inline uint64_t status_bytes(const MPI_Status *status)
{
	return (uint64_t)(uint32_t)status->count_lo | (uint64_t)(uint32_t)status->count_hi_and_cancelled >> 1 << 32;
}
#else
static uint64_t status_bytes(const MPI_Status *status)
{
	int count = 0;
	if (SIS_LIKELY(PMPI_Get_count(status, MPI_BYTE, &count) == MPI_SUCCESS && count >= 0))
		return (uint64_t)count;
#if MPI_VERSION >= 3
	MPI_Count large = 0; /* 2 GiB and more */
	if (PMPI_Get_elements_x(status, MPI_BYTE, &large) == MPI_SUCCESS && large > 0)
		return (uint64_t)large;
#endif
	return 0;
}
#endif

uint64_t sis__mpi_status_bytes(const MPI_Status *status)
{
	return status_bytes(status);
}

static inline int32_t peer_or_any(int peer) { return peer == MPI_ANY_SOURCE ? -1 : peer; }
static inline int32_t tag_or_any(int tag) { return tag == MPI_ANY_TAG ? -1 : tag; }

/* Peers of an intercommunicator are ranks of its other side. */
static inline __attribute__((always_inline)) void record(struct sis_mpi_call *call, enum sis_record_kind kind,
							 uint32_t comm, int peer, int tag, uint64_t bytes,
							 uint64_t serial, unsigned flags)
{
	if (SIS_UNLIKELY(comm == SIS_UNMATCHED))
		return;
	sis__mpi_record(call, (struct sis_record){ .kind = (uint16_t)kind, .comm = comm, .peer = peer_or_any(peer),
						    .tag = tag_or_any(tag), .bytes = bytes, .serial = serial,
						    .flags = (uint16_t)flags });
}

void sis__mpi_send(struct sis_mpi_call *call, unsigned flags, MPI_Count count, MPI_Datatype type, int peer, int tag,
		   MPI_Comm comm)
{
	if (peer == MPI_PROC_NULL)
		return;
	uint64_t bytes = bytes_of(count, type);
	record(call, SIS_RECORD_SEND, sis__mpi_comm_id(comm), peer, tag, bytes, 0, flags);
	sis__mpi_count(call, 1, 0, bytes, 0);
}

void sis__mpi_recv(struct sis_mpi_call *call, MPI_Comm comm, const MPI_Status *status)
{
	if (status->MPI_SOURCE == MPI_PROC_NULL)
		return;
	uint64_t bytes = status_bytes(status);
	record(call, SIS_RECORD_RECV, sis__mpi_comm_id(comm), status->MPI_SOURCE, status->MPI_TAG, bytes, 0, 0);
	sis__mpi_count(call, 0, 1, 0, bytes);
}

void sis__mpi_sendrecv(struct sis_mpi_call *call, MPI_Count count, MPI_Datatype type, int peer, int tag,
		       MPI_Comm comm, const MPI_Status *status)
{
	sis__mpi_send(call, 0, count, type, peer, tag, comm);
	sis__mpi_recv(call, comm, status);
}

/* -- requests -------------------------------------------------------------------------------------------- */

/* The record of a request that has become active. */
static void activated(struct sis_mpi_call *call, const struct sis_mpi_request *request, enum sis_record_kind kind)
{
	bool sends = kind == SIS_RECORD_ISEND;
	record(call, kind, request->comm, request->peer, request->tag, request->bytes, request->serial, request->flags);
	if (sends)
		sis__mpi_count(call, 1, 0, request->bytes, 0);
}

/* LIMIT: a message that is sent or received while measurement is off leaves no record; if only one of its two ends
 * is measured, the analyzer pairs the messages after it one off. */
static void begun(struct sis_mpi_call *call, struct sis_mpi_request *request, MPI_Request handle,
		  enum sis_record_kind kind)
{
	if (request->peer == MPI_PROC_NULL || !call->thread)
		return;
	request->serial = sis__mpi_request_serials(1);
	request->active = true;
	sis__mpi_request_add(SIS_KEY(handle), request);
	activated(call, request, kind);
}

void sis__mpi_isend(struct sis_mpi_call *call, unsigned flags, MPI_Count count, MPI_Datatype type, int peer, int tag,
		    MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = {
		.kind = SIS_REQUEST_SEND, .comm = sis__mpi_comm_id(comm), .peer = peer, .tag = tag,
		.bytes = sis__mpi_bytes(count, type), .flags = (uint16_t)flags,
	};
	begun(call, &made, request, SIS_RECORD_ISEND);
}

void sis__mpi_irecv(struct sis_mpi_call *call, int peer, int tag, MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = {
		.kind = SIS_REQUEST_RECV, .comm = sis__mpi_comm_id(comm), .peer = peer, .tag = tag,
	};
	begun(call, &made, request, SIS_RECORD_IRECV);
}

/* One handle for two operations: two records, with serials in a row, and one entry that completes both. */
void sis__mpi_isendrecv(struct sis_mpi_call *call, MPI_Count count, MPI_Datatype type, int to, int send_tag, int from,
			int recv_tag, MPI_Comm comm, MPI_Request request)
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
		.kind = SIS_REQUEST_BOTH, .comm = sis__mpi_comm_id(comm), .peer = to, .tag = send_tag, .from = from,
		.from_tag = recv_tag, .bytes = sis__mpi_bytes(count, type), .serial = serial, .active = true,
	};
	struct sis_mpi_request receive = { .serial = serial + 1, .comm = both.comm, .peer = from, .tag = recv_tag };
	sis__mpi_request_add(SIS_KEY(request), &both);
	activated(call, &both, SIS_RECORD_ISEND);
	activated(call, &receive, SIS_RECORD_IRECV);
}

/* -- persistent requests --------------------------------------------------------------------------------- */

void sis__mpi_send_init(unsigned flags, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
			MPI_Request request)
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
		.kind = SIS_REQUEST_RECV, .comm = sis__mpi_comm_id(comm), .peer = peer, .tag = tag, .persistent = true,
	};
	if (peer != MPI_PROC_NULL)
		sis__mpi_request_add(SIS_KEY(request), &made);
}

void sis__mpi_start(struct sis_mpi_call *call, int count, const MPI_Request *request)
{
	struct sis_mpi_request started;
	for (int i = 0; i < count; i++) {
		if (!sis__mpi_request_start(SIS_KEY(request[i]), &started))
			continue;
		bool sends = started.kind == SIS_REQUEST_SEND;
		activated(call, &started, sends ? SIS_RECORD_ISEND : SIS_RECORD_IRECV);
	}
}

/* -- matched probes: the message's communicator is known to the probe alone ---------------------------------- */

void sis__mpi_mprobe(int found, MPI_Message message, MPI_Comm comm)
{
	struct sis_mpi_request probed = { .comm = sis__mpi_comm_id(comm), .kind = SIS_REQUEST_MESSAGE, .active = true };
	if (found && message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
		sis__mpi_request_add(SIS_MESSAGE_KEY(message), &probed);
}

void sis__mpi_mrecv(struct sis_mpi_call *call, MPI_Message message, const MPI_Status *status)
{
	struct sis_mpi_request probed;
	if (!sis__mpi_request_take(SIS_MESSAGE_KEY(message), &probed))
		return;
	uint64_t bytes = status_bytes(status);
	record(call, SIS_RECORD_RECV, probed.comm, status->MPI_SOURCE, status->MPI_TAG, bytes, 0, 0);
	sis__mpi_count(call, 0, 1, 0, bytes);
}

void sis__mpi_imrecv(struct sis_mpi_call *call, MPI_Message message, MPI_Request request)
{
	struct sis_mpi_request made;
	if (!sis__mpi_request_take(SIS_MESSAGE_KEY(message), &made))
		return;
	made.kind = SIS_REQUEST_RECV;
	made.peer = MPI_ANY_SOURCE;
	made.tag = MPI_ANY_TAG;
	begun(call, &made, request, SIS_RECORD_IRECV);
}
