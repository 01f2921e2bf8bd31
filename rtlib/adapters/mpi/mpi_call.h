/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_call.h - the functions and data that the wrappers of MPI share. Of libsis.so, the wrappers
 * use only functions and data that SIS_EXPORT marks.
 *
 *   mpi_wrappers.awk  generates a wrapper for each routine: begin, PMPI, end, then one of the
 *                     functions below
 *   mpi_call.c        begin and end of a call
 *   mpi_fast_path.h, mpi_record.h   the same, inline, for calls that repeat the previous one
 *   mpi_off.h         calls while measurement is off
 *   mpi_bytes.c       sizes of messages
 *   mpi_message.c     point to point
 *   mpi_request.[ch]  active requests
 *   mpi_complete.c    the completion of requests
 *   mpi_poll.[ch]     tests and probes in vain
 *   mpi_collective.c  collectives
 *   mpi_file.c        files
 *   mpi_phase.c       which nodes ran between two collectives
 *   mpi_neighbour.c   collectives with the neighbours in a topology
 *   mpi_comm.c        communicators and windows
 *   mpi_rma.c         one-sided transfers, and the synchronization that is not collective
 *   mpi_cost.c        what a wrapper costs
 *   mpi_world.c       MPI_Init, MPI_Finalize, MPI_Abort
 *   mpi_unify.c       one file for all ranks, at MPI_Finalize
 *
 * Any thread that may call MPI may call the functions here. If a rule of mpi_wrappers.awk has the
 * word `always`, its function is also called when the call of MPI is not measured. Then
 * call->thread is NULL.
 */
#ifndef SIS_MPI_CALL_H
#define SIS_MPI_CALL_H

#include <mpi.h>
#include <stdatomic.h>

#include "measure/counters/values.h"
#include "measure/core/record_log.h"
#include "blame/stacks/callers.h"

#pragma GCC visibility push(hidden)

/* A call of MPI that is executing, on its wrapper's stack. */
struct sis_mpi_call {
	struct sis_thread *thread; /* NULL: the call is not measured (muted, nested, no memory) */
	struct sis_node *node;     /* the call's activation */
	uint64_t enter, exit;      /* ticks */
	/* the MPI library, or a callback, made this call inside another one: it is ignored */
	bool nested;
	/* its region has no metrics that must be read, and the call is not traced */
	bool plain;
	/* a poll that is only counted (SIS_RUNG_FRACTION). If it is in vain, `enter` and `exit` are
	 * the time of the thread's last probe. */
	bool untimed;
};

/* The outermost call of MPI that this thread is in. Calls made inside it have lower stack frames.
 * If a call has a higher frame, the program has left the outermost call by a jump (an error
 * handler's longjmp).
 * LIMIT: after such a jump, calls from lower frames are not measured until a call has a higher one.
 */
struct sis_mpi_outermost {
	uintptr_t frame; /* 0: none */
	struct sis_node *node;
};
extern __thread struct sis_mpi_outermost sis__mpi_outermost
	__attribute__((tls_model("initial-exec")));

/* `frame` is an address in the frame of the function that the program has called. */
void sis__mpi_begin_in(struct sis_mpi_call *call, uintptr_t frame, uint32_t routine);
void sis__mpi_begin_collective_in(struct sis_mpi_call *call, uintptr_t frame, uint32_t routine);
static inline void sis__mpi_begin(struct sis_mpi_call *call, uint32_t routine)
{
	sis__mpi_begin_in(call, (uintptr_t)call, routine);
}
static inline void sis__mpi_begin_collective(struct sis_mpi_call *call, uint32_t routine)
{
	sis__mpi_begin_collective_in(call, (uintptr_t)call, routine);
}
void sis__mpi_end(struct sis_mpi_call *call);
/* For polls, which may be untimed. `in_vain`: the request is not complete, or there is no message.
 */
void sis__mpi_begin_poll_in(struct sis_mpi_call *call, uintptr_t frame, uint32_t routine);
void sis__mpi_end_poll(struct sis_mpi_call *call, bool in_vain);
/* How many ticks longer a poll takes if it is timed and stands for N polls (mpi_cost.c). */
extern unsigned sis__mpi_ask_excess;
/* Ends, at call->exit, a poll with SIS_RUNG_FRACTION that stands for N polls or is not in vain. */
void sis__mpi_end_poll_slow(struct sis_mpi_call *call) SIS_COLD;
void sis__mpi_end_slow(struct sis_mpi_call *call); /* ends any call */
/* If the call is measured, sis__mpi_record sets the record's node and times, and puts the record in
 * the log. The slow path calls sis__record_put, from the section for cold code. It gets a copy of
 * the record, so that the fast path can keep all fields in registers. */
void sis__mpi_record_slow(struct sis_thread *thread, const struct sis_record *record) SIS_COLD;
static inline __attribute__((always_inline)) void sis__mpi_record(const struct sis_mpi_call *call,
								  struct sis_record record)
{
	if (SIS_UNLIKELY(call->thread == NULL))
		return;
	record.node = call->node;
	struct sis_record_shape shape = sis_record_shape_of(&record);
	if (SIS_LIKELY(sis__record_put_due(call->thread, call->enter, call->exit, shape)))
		return;
	struct sis_record whole = {
		.kind = record.kind,
		.flags = record.flags,
		.enter = call->enter,
		.exit = call->exit,
		.node = call->node,
		.bytes = record.bytes,
		.serial = record.serial,
		.comm = record.comm,
		.peer = record.peer,
		.tag = record.tag,
	};
	sis__mpi_record_slow(call->thread, &whole);
}
/* The values in which the call's messages and bytes are counted; NULL: they are not counted. */
struct sis_values *sis__mpi_values_slow(struct sis_thread *thread, struct sis_node *node) SIS_COLD;
static inline struct sis_values *sis__mpi_values(const struct sis_mpi_call *call)
{
	if (SIS_UNLIKELY(!call->thread))
		return NULL;
	/* the metrics of messages come first, before the region's own */
	return SIS_LIKELY(call->node->values != NULL)
		       ? call->node->values
		       : sis__mpi_values_slow(call->thread, call->node);
}
static inline void sis__mpi_count(const struct sis_mpi_call *call, uint64_t sent, uint64_t received,
				  uint64_t bytes_sent, uint64_t bytes_received)
{
	struct sis_values *values = sis__mpi_values(call);
	if (SIS_UNLIKELY(!values))
		return;
	sis__add_message(values, sent, received, bytes_sent, bytes_received);
}

/* Whether MPI_THREAD_MULTIPLE may be in force, so that shared tables need their locks. */
extern bool sis__mpi_threads;
/* Whether MPI is initialized, so that calls may take the fast path (mpi_fast_path.h). */
extern bool sis__mpi_may_be_quick;

/* -- Communicators, and windows as communicators of their own ---------------------------------- */
struct sis_mpi_neighbours;
struct sis_mpi_comm {
	_Atomic uint64_t key;    /* key of the handle; 0: freed, so this entry may be reused */
	struct sis_mpi_comm *_Atomic next; /* in the same bucket; never changes */
	_Atomic uint64_t serial; /* number of its collectives so far */
	uint64_t number;         /* number and leader are its name in the whole run */
	uint32_t leader;         /* UINT32_MAX: it has no name */
	uint32_t id;             /* its number in this process */
	uint32_t size;
	int rank;
	bool inter;
	struct sis_profile_comm *described; /* its chunk; NULL: none */
	struct sis_profile_comm *remote; /* chunk of the other side of an intercommunicator */
	struct sis_mpi_neighbours *_Atomic neighbours; /* NULL: not asked for yet */
};

extern struct sis_mpi_comm sis__mpi_world;
/* Returns the entry of the communicator; NULL: no memory. If no wrapper has seen the communicator
 * being made, adds an entry without a name. */
struct sis_mpi_comm *sis__mpi_comm_slow(MPI_Comm comm);
static inline struct sis_mpi_comm *sis__mpi_comm(MPI_Comm comm)
{
	return SIS_LIKELY(comm == MPI_COMM_WORLD) ? &sis__mpi_world : sis__mpi_comm_slow(comm);
}
/* The id of the communicator in records of messages. For an intercommunicator it is the id of the
 * other side, to which the peers belong. SIS_UNMATCHED: the analyzer does not match messages. */
#define SIS_UNMATCHED UINT32_MAX
static inline uint32_t sis__mpi_comm_id(MPI_Comm comm)
{
	if (SIS_LIKELY(comm == MPI_COMM_WORLD))
		return sis__mpi_world.id;
	const struct sis_mpi_comm *c = sis__mpi_comm_slow(comm);
	if (SIS_UNLIKELY(!c))
		return SIS_UNMATCHED;
	return SIS_LIKELY(!c->inter) ? c->id : c->remote ? c->remote->id : SIS_UNMATCHED;
}
/* Adds MPI_COMM_WORLD, and if `self` is true, MPI_COMM_SELF. Frees `group`. Returns true to the
 * first caller only. */
bool sis__mpi_comm_world(MPI_Group group, int rank, int size, bool self);
void sis__mpi_comm_end(void);   /* before MPI_Finalize, or before the last session ends */
static inline uint64_t sis__mpi_comm_serial(struct sis_mpi_comm *comm)
{
	uint64_t serial = atomic_load_explicit(&comm->serial, memory_order_relaxed);
	if (SIS_UNLIKELY(sis__mpi_threads))
		return atomic_fetch_add_explicit(&comm->serial, 1, memory_order_relaxed);
	/* without MPI_THREAD_MULTIPLE, the program orders its calls of MPI */
	atomic_store_explicit(&comm->serial, serial + 1, memory_order_relaxed);
	return serial;
}
void sis__mpi_comm_new(struct sis_mpi_call *call, MPI_Comm parent, MPI_Comm made);
void sis__mpi_comm_idup(MPI_Comm parent, MPI_Comm *made, MPI_Request request);
void sis__mpi_comm_idup_done(MPI_Comm made, uint32_t parent, uint64_t number);
void sis__mpi_comm_part(MPI_Comm parent, int tag, MPI_Comm made);
void sis__mpi_comm_of_group(const char *tag, MPI_Comm made);
struct sis_mpi_ended { /* a communicator, window or file, before the call that frees it */
	uint32_t id;     /* for a file, id of its communicator; SIS_UNMATCHED: not known */
	bool inter;
	uint64_t serial; /* for a window or file: the serial of the call */
};
struct sis_mpi_ended sis__mpi_comm_ends(MPI_Comm comm);
void sis__mpi_comm_free(MPI_Comm comm, const struct sis_mpi_ended *ended);
void sis__mpi_comm_name(MPI_Comm comm, const char *name);
void sis__mpi_win_new(struct sis_mpi_call *call, MPI_Comm parent, MPI_Win made);
struct sis_mpi_ended sis__mpi_win_ends(MPI_Win win);
void sis__mpi_win_free(struct sis_mpi_call *call, MPI_Win win, const struct sis_mpi_ended *ended);
void sis__mpi_fence(struct sis_mpi_call *call, MPI_Win win);

struct sis_mpi_comm *sis__mpi_win(MPI_Win win); /* NULL: no wrapper saw it being made */

/* -- One-sided (mpi_rma.c) --------------------------------------------------------------------- */
void sis__mpi_rma(struct sis_mpi_call *call, enum sis_record_kind kind, MPI_Count count,
		  MPI_Datatype type, int target, MPI_Win win);
void sis__mpi_epoch(struct sis_mpi_call *call, enum sis_record_kind kind, unsigned flags,
		    MPI_Win win);
void sis__mpi_epoch_at(struct sis_mpi_call *call, enum sis_record_kind kind, int target,
		       unsigned flags, MPI_Win win);
void sis__mpi_epoch_of(struct sis_mpi_call *call, enum sis_record_kind kind, MPI_Group group,
		       MPI_Win win);
void sis__mpi_win_wait(struct sis_mpi_call *call, MPI_Win win);
void sis__mpi_win_test(struct sis_mpi_call *call, int done, MPI_Win win);
void sis__mpi_win_lock(struct sis_mpi_call *call, int type, int target, MPI_Win win);

/* -- Requests ---------------------------------------------------------------------------------- */
enum sis_mpi_request_kind {
	SIS_REQUEST_SEND,
	SIS_REQUEST_RECV,
	SIS_REQUEST_BOTH,    /* MPI_Isendrecv */
	SIS_REQUEST_COMM,    /* MPI_Comm_idup */
	SIS_REQUEST_COLLECTIVE,
	SIS_REQUEST_PARTED_SEND, /* partitioned */
	SIS_REQUEST_PARTED_RECV,
	SIS_REQUEST_MESSAGE, /* no request, but a message that a matched probe returned */
};

/* This struct has no unions: with unions the compiler would build a request in memory and copy it,
 * which would slow down non-blocking calls. */
struct sis_mpi_request {
	struct sis_mpi_request *next;
	uint64_t key;       /* of the handle */
	/* serial of the record that made it active; BOTH: serial of the send; the receive has the
	 * next serial */
	uint64_t serial;
	uint64_t bytes;     /* sent; PARTED_RECV: requested; COMM: number of the new communicator */
	const void *owner;  /* the thread that began it (mpi_request.c) */
	MPI_Comm *made;     /* COMM: where MPI stores the new handle */
	uint32_t comm;      /* id, or SIS_UNMATCHED; COMM: id of the parent */
	/* arguments of the call; BOTH: those of the send; COLLECTIVE: the root, and enum
	 * sis_record_kind */
	int32_t peer, tag;
	/* BOTH: peer and tag of the receive; PARTED_SEND: number of parts, and of parts that are
	 * not ready */
	int32_t from, from_tag;
	uint64_t number;    /* COLLECTIVE: number in `comm`; persistent: of the next start */
	uint64_t received;  /* COLLECTIVE: bytes received; `bytes` are the bytes sent */
	uint16_t flags;     /* SIS_RECORD_SYNCHRONOUS, _PARTITIONED */
	uint8_t kind;       /* enum sis_mpi_request_kind */
	bool persistent, active, cancelled;
};

void sis__mpi_cancel(MPI_Request request);
void sis__mpi_request_free(struct sis_mpi_call *call, MPI_Request request);

/* Handles are integers or pointers, depending on the MPI library. Messages have odd keys. */
#define SIS_KEY(handle) ((uint64_t)(uintptr_t)(handle) << 1)
#define SIS_MESSAGE_KEY(handle) (SIS_KEY(handle) | 1)
/* The key of polls for an array of requests. */
#define SIS_BATCH_KEY(array) ((uint64_t)(uintptr_t)(array) << 1 | 1)

/* -- Messages ---------------------------------------------------------------------------------- */
uint64_t sis__mpi_bytes(MPI_Count count, MPI_Datatype type);
uint64_t sis__mpi_status_bytes(const MPI_Status *status);
void sis__mpi_send(struct sis_mpi_call *call, unsigned flags, MPI_Count count, MPI_Datatype type,
		   int peer, int tag, MPI_Comm comm);
void sis__mpi_recv(struct sis_mpi_call *call, MPI_Comm comm, const MPI_Status *status);
void sis__mpi_sendrecv(struct sis_mpi_call *call, MPI_Count count, MPI_Datatype type, int peer,
		       int tag, MPI_Comm comm, const MPI_Status *status);
void sis__mpi_isend(struct sis_mpi_call *call, unsigned flags, MPI_Count count, MPI_Datatype type,
		    int peer, int tag, MPI_Comm comm, MPI_Request request);
void sis__mpi_irecv(struct sis_mpi_call *call, int peer, int tag, MPI_Comm comm,
		    MPI_Request request);
void sis__mpi_isendrecv(struct sis_mpi_call *call, MPI_Count count, MPI_Datatype type, int to,
			int send_tag, int from, int recv_tag, MPI_Comm comm, MPI_Request request);
void sis__mpi_send_init(unsigned flags, MPI_Count count, MPI_Datatype type, int peer, int tag,
			MPI_Comm comm, MPI_Request request);
void sis__mpi_recv_init(int peer, int tag, MPI_Comm comm, MPI_Request request);
void sis__mpi_parted_init(enum sis_mpi_request_kind kind, int parts, MPI_Count count,
			  MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request request);
void sis__mpi_ready(struct sis_mpi_call *call, int parts, MPI_Request request);
void sis__mpi_start(struct sis_mpi_call *call, int count, const MPI_Request *request);
/* for requests other than a single send or receive */
void sis__mpi_started_slow(struct sis_mpi_call *call, struct sis_mpi_request *request) SIS_COLD;
void sis__mpi_mprobe(int found, MPI_Message message, MPI_Comm comm);
void sis__mpi_iprobe(struct sis_mpi_call *call, int found, int source, int tag, MPI_Comm comm,
		     const MPI_Status *status);
void sis__mpi_improbe(struct sis_mpi_call *call, int found, int source, int tag, MPI_Comm comm,
		      MPI_Message message, const MPI_Status *status);
void sis__mpi_mrecv(struct sis_mpi_call *call, MPI_Message message, const MPI_Status *status);
void sis__mpi_imrecv(struct sis_mpi_call *call, MPI_Message message, MPI_Request request);

enum { SIS_POLL_WAYS = 4 }; /* mpi_poll.h */

/* -- Completion -------------------------------------------------------------------------------- */
enum { SIS_BATCH = 32 }; /* requests of a batch that need no heap: 3 KiB of stack */
struct sis_mpi_batch {
	int count;           /* number of requests; 0: none, or no memory */
	MPI_Request *was;    /* handles, copied before the call, which clears them */
	MPI_Status *status;  /* array that PMPI fills: the caller's or, without one, the batch's */
	uint64_t key;        /* key of polls for the array (mpi_poll.h) */
	unsigned polled;     /* elements of `polls` in use */
	bool lent;           /* `was` and perhaps `status` are in `block`, on the heap */
	void *block;
	MPI_Request small_was[SIS_BATCH];
	MPI_Status small_status[SIS_BATCH];
	struct sis_polls polls[SIS_POLL_WAYS];
};
/* The asm keeps GCC from making the loop a `rep movs`, which takes 10 ns for a few handles. */
static inline void sis__mpi_copy_handles(MPI_Request *to, const MPI_Request *from, int count)
{
	for (int i = 0; i < count; i++) {
		to[i] = from[i];
		__asm__ volatile("" ::: "memory");
	}
}
/* If there is no memory, nothing is removed from the table, and the requests have no DONE record.
 */
void sis__mpi_batch_lend(struct sis_mpi_batch *batch, int count, const MPI_Request *request,
			 bool ignored) SIS_COLD;
void sis__mpi_batch_give_back(struct sis_mpi_batch *batch) SIS_COLD;
/* Makes a batch of handles that were copied. `status` is NULL if statuses are not used. */
static inline void sis__mpi_batch_of(struct sis_mpi_batch *batch, int count,
				     const MPI_Request *request, MPI_Request *was,
				     MPI_Status *status)
{
	batch->count = count;
	batch->was = was;
	batch->status = status ? status : batch->small_status;
	batch->key = SIS_BATCH_KEY(request);
	batch->polled = 0;
	batch->lent = false;
}
/* `status` is NULL for calls that complete one request. */
static inline void sis__mpi_batch_begin(struct sis_mpi_batch *batch, int count,
					const MPI_Request *request, MPI_Status *status)
{
	bool ignored = status == MPI_STATUSES_IGNORE, large = SIS_UNLIKELY(count > SIS_BATCH);
	sis__mpi_batch_of(batch, large ? 0 : count, request, batch->small_was,
			  ignored ? batch->small_status : status);
	if (large)
		sis__mpi_batch_lend(batch, count, request, ignored);
	else
		sis__mpi_copy_handles(batch->was, request, count);
}
static inline void sis__mpi_batch_end(struct sis_mpi_batch *batch)
{
	if (SIS_UNLIKELY(batch->lent))
		sis__mpi_batch_give_back(batch);
}
void sis__mpi_batch_all(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags);
void sis__mpi_batch_test(struct sis_mpi_call *call, struct sis_mpi_batch *batch, int done);
void sis__mpi_batch_test_some(struct sis_mpi_call *call, struct sis_mpi_batch *batch, int count,
			      const int *index);
void sis__mpi_batch_test_any(struct sis_mpi_call *call, struct sis_mpi_batch *batch, int done,
			     int index, const MPI_Status *status);
void sis__mpi_batch_one(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			int index, const MPI_Status *status);
void sis__mpi_batch_some(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			 int count, const int *index);
/* Whether a receive failed because the message was longer than the buffer. Such a message is
 * received nevertheless. Sets `cut` to its status, with 0 bytes, because the number of bytes is not
 * known. */
bool sis__mpi_was_cut(int code, const MPI_Status *status, MPI_Status *cut) SIS_COLD;
bool sis__mpi_is_cut(int code) SIS_COLD;
/* For a call that failed, but may have completed some of its requests. `index` has the positions of
 * `count` requests in the batch (NULL: the first ones). The status of each request has the
 * request's error code. */
void sis__mpi_batch_partly(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			   int code, int count, const int *index) SIS_COLD;
/* For a call that failed and is not measured: completes the requests whose handles the call has
 * changed. */
void sis__mpi_batch_changed(struct sis_mpi_batch *batch, const MPI_Request *request) SIS_COLD;
/* The status may be NULL if the call is not measured. */
void sis__mpi_complete(struct sis_mpi_call *call, unsigned flags, MPI_Request was,
		       const MPI_Status *status);
/* For cancelled requests, and for requests other than a single send or receive. */
void sis__mpi_done_slow(struct sis_mpi_call *call, unsigned flags, struct sis_mpi_request *request,
			const MPI_Status *status) SIS_COLD;
/* For requests of all kinds, if the call is not measured. */
void sis__mpi_done_off(struct sis_mpi_request *request);
void sis__mpi_test(struct sis_mpi_call *call, int done, MPI_Request was, const MPI_Status *status);
void sis__mpi_asked(struct sis_mpi_call *call, int done, MPI_Request request);
void sis__mpi_arrived(struct sis_mpi_call *call, int done, MPI_Request request);

/* -- Collectives ------------------------------------------------------------------------------- */
/* Records a collective. Returns its communicator, or NULL if the collective's bytes are not
 * counted: the call is not measured or is on an intercommunicator. */
struct sis_mpi_comm *sis__mpi_collective(struct sis_mpi_call *call, enum sis_record_kind kind,
					 MPI_Comm comm, int root);
void sis__mpi_collective_on(struct sis_mpi_call *call, enum sis_record_kind kind,
			    struct sis_mpi_comm *comm, int root, uint64_t serial);
/* Like sis__mpi_collective, but the collective has only begun (_begun), or only its persistent
 * request was made (_init). */
struct sis_mpi_comm *sis__mpi_collective_begun(struct sis_mpi_call *call, enum sis_record_kind kind,
					       MPI_Comm comm, int root, MPI_Request request);
struct sis_mpi_comm *sis__mpi_collective_init(enum sis_record_kind kind, MPI_Comm comm, int root,
					      MPI_Request request);
/* Notes the bytes that the collective with this request sends and receives each time it is started.
 */
void sis__mpi_collective_moves(MPI_Request request, uint64_t sent, uint64_t received);
void sis__mpi_collective_started(const struct sis_mpi_call *call, struct sis_mpi_request *request);
/* The sum of count x size of type over the members. If `each` is not 0, each member has its own
 * type. */
uint64_t sis__mpi_bytes_v(const int *counts, const MPI_Datatype *types, int each, uint32_t members);
uint64_t sis__mpi_bytes_v_c(const MPI_Count *counts, const MPI_Datatype *types, int each,
			    uint32_t members);

/* The neighbours of this process in a communicator's topology, in the order of MPI's arrays. `from`
 * are the neighbours that send to this process, `to` are those that it sends to. Beyond a border of
 * a grid there is no neighbour, but MPI's arrays have an element for this place. */
struct sis_mpi_neighbours {
	struct sis_mpi_side {
		uint32_t places, present;
		const bool *absent; /* absent[i]: place i has no neighbour; NULL: all have one */
	} from, to;
	_Atomic bool recorded;      /* `rank` is in the log */
	/* ranks of the neighbours that send (from.present of them); for a grid, the memory of
	 * `absent` follows */
	int rank[];
};
/* These functions are for collectives with neighbours, and return the neighbours. They return NULL
 * if bytes are not counted: there is no memory, or the call is not measured. */
const struct sis_mpi_neighbours *sis__mpi_neighbours(struct sis_mpi_call *call, MPI_Comm comm);
const struct sis_mpi_neighbours *sis__mpi_neighbours_begun(struct sis_mpi_call *call, MPI_Comm comm,
							   MPI_Request request);
const struct sis_mpi_neighbours *sis__mpi_neighbours_init(struct sis_mpi_call *call, MPI_Comm comm,
							  MPI_Request request);
/* The sum of count x size of type over the neighbours that are present. */
uint64_t sis__mpi_bytes_at(const int *counts, const MPI_Datatype *types, int each,
			   const struct sis_mpi_side *side);
uint64_t sis__mpi_bytes_at_c(const MPI_Count *counts, const MPI_Datatype *types, int each,
			     const struct sis_mpi_side *side);

/* -- Files (mpi_file.c) ------------------------------------------------------------------------ */
void sis__mpi_file_open(struct sis_mpi_call *call, MPI_Comm comm, MPI_File file);
void sis__mpi_file_all(struct sis_mpi_call *call, MPI_File file);
void sis__mpi_file_io(struct sis_mpi_call *call, int writes, MPI_File file,
		      const MPI_Status *status);
struct sis_mpi_ended sis__mpi_file_ends(MPI_File file);
void sis__mpi_file_close(struct sis_mpi_call *call, const struct sis_mpi_ended *ended);
void sis__mpi_io(struct sis_mpi_call *call, int writes, const MPI_Status *status);
void sis__mpi_io_begun(struct sis_mpi_call *call, int writes, MPI_Count count, MPI_Datatype type);
void sis__mpi_file_begun(struct sis_mpi_call *call, int writes, MPI_File file, MPI_Count count,
			 MPI_Datatype type, MPI_Request request);

/* -- Phases (mpi_phase.c) ---------------------------------------------------------------------- */

/* Ends the thread's phase before a collective begins. Returns the phase's record if the phase was
 * long enough or is the `last` one; else NULL. Sets *now to the time after this work. The work is
 * booked as cost of the probes. */
struct sis_record *sis__mpi_phase(struct sis_thread *thread, bool last, uint64_t *now);
extern uint64_t sis__mpi_shortest; /* ticks of the shortest phase; 0: not known yet */
extern uint64_t sis__mpi_long;     /* ticks; a longer call calls sis__no_processor_note */
static inline bool sis__mpi_phase_is_due(const struct sis_thread *thread, uint64_t now)
{
	return now - thread->phase_look >= __atomic_load_n(&sis__mpi_shortest, __ATOMIC_RELAXED);
}
/* If a look is due, ends the phase before a call that is no collective, and begins the next phase.
 */
struct sis_record *sis__mpi_message_phase(struct sis_thread *thread, uint64_t *now);
/* sis__mpi_phase_begin: the thread's next phase begins at the end of this collective. If the
 * collective was long, and the phase before it is not written yet, sis__mpi_phase_missed writes
 * this phase. */
void sis__mpi_phase_missed(struct sis_thread *thread, uint64_t enter, uint64_t exit) SIS_COLD;
static inline void sis__mpi_phase_begin(const struct sis_mpi_call *call)
{
	struct sis_thread *thread = call->thread;
	if (SIS_UNLIKELY(!thread))
		return;
	if (SIS_UNLIKELY(call->exit - call->enter >=
			 __atomic_load_n(&sis__mpi_shortest, __ATOMIC_RELAXED)))
		sis__mpi_phase_missed(thread, call->enter, call->exit);
	thread->phase_start = call->exit;
	thread->phase_node = call->node->parent;
}

/* Called at the end of MPI_Init: writes what a wrapper costs (mpi_cost.c). */
void sis__mpi_cost_note(void);
/* Called at the end of MPI_Init: prepares the merge at MPI_Finalize (mpi_unify.c). */
void sis__mpi_unify_begin(int rank, int size);

/* -- Sessions (mpi_world.c) -------------------------------------------------------------------- */
#if MPI_VERSION >= 4
void sis__mpi_session(MPI_Session session);
#endif

#pragma GCC visibility pop
#endif
