/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_call.h - what the wrappers of MPI share. Of libsis they use what SIS_EXPORT marks.
 *
 *   mpi_wrappers.awk  writes a wrapper for each routine: begin, PMPI, end, then one of the
 *                     functions below
 *   mpi_call.c        begin and end of a call
 *   mpi_fast_path.h, mpi_record.h   the same, inline, for calls that repeat the previous one
 *   mpi_off.h         calls that are not measured
 *   mpi_bytes.c       sizes of messages
 *   mpi_message.c     point to point
 *   mpi_request.[ch]  active requests
 *   mpi_complete.c    the completion of requests
 *   mpi_poll.[ch]     tests and probes in vain
 *   mpi_collective.c  collectives
 *   mpi_file.c        files
 *   mpi_phase.c       what ran between two collectives
 *   mpi_neighbour.c   collectives with the neighbours in a topology
 *   mpi_comm.c        communicators and windows
 *   mpi_rma.c         one-sided transfers, and the synchronization that is not collective
 *   mpi_cost.c        what a wrapper costs
 *   mpi_world.c       MPI_Init, MPI_Finalize, MPI_Abort
 *   mpi_unify.c       one file for all ranks, at MPI_Finalize
 *
 * Every function here may be called by any thread that may call MPI. Functions that take `call`
 * and are named in a rule with `always` are also called when the call is not measured
 * (call->thread is NULL).
 */
#ifndef SIS_MPI_CALL_H
#define SIS_MPI_CALL_H

#include <mpi.h>
#include <stdatomic.h>

#include "counters/values.h"
#include "core/record_log.h"

#pragma GCC visibility push(hidden)

/* A call of MPI that is executing, on its wrapper's stack. */
struct sis_mpi_call {
	struct sis_thread *thread; /* NULL: not measured (muted, nested, no memory) */
	struct sis_node *node;     /* the call's activation */
	uint64_t enter, exit;      /* ticks */
	/* made by the MPI library, or by a callback, inside another call: ignored */
	bool nested;
	/* its region has no metrics that must be read, and it is not traced */
	bool plain;
	/* a poll that is counted only (SIS_RUNG_FRACTION): if it is in vain, `enter` and `exit` are
	 * the time of the thread's last probe */
	bool untimed;
};

/* The outermost call that this thread is in. Calls made inside it have stack frames below its own.
 * A call with a frame above shows that it was left by a jump (an error handler's longjmp).
 * LIMIT: until then calls from deeper frames are not measured. */
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
/* A poll may be one of those that are not timed. `in_vain`: what it asked for has not come. */
void sis__mpi_begin_poll_in(struct sis_mpi_call *call, uintptr_t frame, uint32_t routine);
void sis__mpi_end_poll(struct sis_mpi_call *call, bool in_vain);
/* Ticks by which such a call takes longer if it is the one that is timed for N (mpi_cost.c). */
extern unsigned sis__mpi_ask_excess;
/* Ends a poll of SIS_RUNG_FRACTION that stands for others, or is not in vain, at `exit`. */
void sis__mpi_end_poll_slow(struct sis_mpi_call *call) SIS_COLD;
void sis__mpi_end_slow(struct sis_mpi_call *call); /* of any call */
/* Puts the record in the log, if the call is measured; fills in node and times. The slow path gets
 * a copy that is made for it, so that the fast path keeps all fields in registers. It is
 * sis__record_put, called from the compiler's section for cold code. */
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
/* Where the call's messages and bytes are counted; NULL: nowhere. */
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

/* MPI_THREAD_MULTIPLE may be in force: shared tables need their locks. */
extern bool sis__mpi_threads;
/* Calls may take the fast path (mpi_fast_path.h): MPI is initialized. */
extern bool sis__mpi_may_be_quick;

/* -- Communicators, and windows as communicators of their own ---------------------------------- */
struct sis_mpi_neighbours;
struct sis_mpi_comm {
	_Atomic uint64_t key;    /* of the handle; 0: freed, may be used again */
	struct sis_mpi_comm *_Atomic next; /* in the same bucket; never changes */
	_Atomic uint64_t serial; /* collectives on it so far */
	uint64_t number;         /* its name in the whole run, with `leader` ... */
	uint32_t leader;         /* ... UINT32_MAX: it has none */
	uint32_t id;             /* in this process */
	uint32_t size;
	int rank;
	bool inter;
	struct sis_profile_comm *described; /* its chunk; NULL none */
	struct sis_profile_comm *remote; /* of the other side of an intercommunicator */
	struct sis_mpi_neighbours *_Atomic neighbours; /* NULL: not asked for yet */
};

extern struct sis_mpi_comm sis__mpi_world;
/* NULL: no memory. A communicator that no wrapper saw being made is added without a name. */
struct sis_mpi_comm *sis__mpi_comm_slow(MPI_Comm comm);
static inline struct sis_mpi_comm *sis__mpi_comm(MPI_Comm comm)
{
	return SIS_LIKELY(comm == MPI_COMM_WORLD) ? &sis__mpi_world : sis__mpi_comm_slow(comm);
}
/* The id for messages: in an intercommunicator that of the other side, where the peers are.
 * SIS_UNMATCHED: messages are not matched. */
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
/* Adds the world, and self if it can be used. True for the first caller. Frees `group`. */
bool sis__mpi_comm_world(MPI_Group group, int rank, int size, bool self);
void sis__mpi_comm_end(void);   /* before MPI_Finalize, or the end of the last session */
static inline uint64_t sis__mpi_comm_serial(struct sis_mpi_comm *comm)
{
	uint64_t serial = atomic_load_explicit(&comm->serial, memory_order_relaxed);
	if (SIS_UNLIKELY(sis__mpi_threads))
		return atomic_fetch_add_explicit(&comm->serial, 1, memory_order_relaxed);
	/* calls of MPI are in order */
	atomic_store_explicit(&comm->serial, serial + 1, memory_order_relaxed);
	return serial;
}
void sis__mpi_comm_new(struct sis_mpi_call *call, MPI_Comm parent, MPI_Comm made);
void sis__mpi_comm_idup(MPI_Comm parent, MPI_Comm *made, MPI_Request request);
void sis__mpi_comm_idup_done(MPI_Comm made, uint32_t parent, uint64_t number);
void sis__mpi_comm_part(MPI_Comm parent, int tag, MPI_Comm made);
void sis__mpi_comm_of_group(const char *tag, MPI_Comm made);
struct sis_mpi_ended { /* a communicator, window or file before the call that frees it */
	uint32_t id;     /* SIS_UNMATCHED: not known; of a file: its communicator */
	bool inter;
	uint64_t serial; /* of a window or file: that of the call */
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
	SIS_REQUEST_MESSAGE, /* not a request: a message that a matched probe returned */
};

/* No unions: with them the compiler builds a request in memory and copies it, which costs
 * non-blocking calls time. */
struct sis_mpi_request {
	struct sis_mpi_request *next;
	uint64_t key;       /* of the handle */
	/* of the record that made it active; BOTH: the send's; that of the receive is one more */
	uint64_t serial;
	uint64_t bytes;     /* sent; PARTED_RECV: requested; COMM: the new communicator's number */
	const void *owner;  /* the thread that began it (mpi_request.c) */
	MPI_Comm *made;     /* COMM: where MPI stores the new handle */
	uint32_t comm;      /* id, or SIS_UNMATCHED; COMM: of the parent */
	/* arguments of the call; BOTH: the send's, ...; COLLECTIVE: the root, and enum
	 * sis_record_kind */
	int32_t peer, tag;
	/* ... and the receive's; PARTED_SEND: parts of the message, and parts that are not ready */
	int32_t from, from_tag;
	uint64_t number;    /* COLLECTIVE: in its communicator; persistent: of the next start */
	uint64_t received;  /* COLLECTIVE: bytes received; `bytes` are those sent */
	uint16_t flags;     /* SIS_RECORD_SYNCHRONOUS, _PARTITIONED */
	uint8_t kind;       /* enum sis_mpi_request_kind */
	bool persistent, active, cancelled;
};

void sis__mpi_cancel(MPI_Request request);
void sis__mpi_request_free(struct sis_mpi_call *call, MPI_Request request);

/* Handles are integers or pointers, by the implementation; messages have odd keys. */
#define SIS_KEY(handle) ((uint64_t)(uintptr_t)(handle) << 1)
#define SIS_MESSAGE_KEY(handle) (SIS_KEY(handle) | 1)
/* What a call on an array of requests polls. */
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
	int count;           /* 0: nothing to complete, or no memory */
	MPI_Request *was;    /* the handles before the call, which clears them */
	MPI_Status *status;  /* what PMPI fills: the caller's array; if it has none, our own */
	uint64_t key;        /* of polls of the array (mpi_poll.h) */
	unsigned polled;     /* elements of `polls` in use */
	bool lent;           /* `was` and perhaps `status` are in `block`, on the heap */
	void *block;
	MPI_Request small_was[SIS_BATCH];
	MPI_Status small_status[SIS_BATCH];
	struct sis_polls polls[SIS_POLL_WAYS];
};
/* GCC would make `rep movs` of a plain loop, which takes 10 ns for a few handles. */
static inline void sis__mpi_copy_handles(MPI_Request *to, const MPI_Request *from, int count)
{
	for (int i = 0; i < count; i++) {
		to[i] = from[i];
		__asm__ volatile("" ::: "memory");
	}
}
/* Without memory nothing is removed from the table, and the requests have no DONE record. */
void sis__mpi_batch_lend(struct sis_mpi_batch *batch, int count, const MPI_Request *request,
			 bool ignored) SIS_COLD;
void sis__mpi_batch_give_back(struct sis_mpi_batch *batch) SIS_COLD;
/* Of handles that were copied. `status` is NULL if none is looked at. */
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
/* Whether a receive failed because the message was longer than its buffer. The message is received
 * nevertheless. `cut` is its status, without the number of bytes, which is not known. */
bool sis__mpi_was_cut(int code, const MPI_Status *status, MPI_Status *cut) SIS_COLD;
bool sis__mpi_is_cut(int code) SIS_COLD;
/* The call failed, but some of its requests may be complete. `index` has the positions of `count`
 * requests in the batch (NULL: the first ones). The status of each has its error code. */
void sis__mpi_batch_partly(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			   int code, int count, const int *index) SIS_COLD;
/* The same for a call that is not measured: completes the requests whose handles the call has
 * changed. */
void sis__mpi_batch_changed(struct sis_mpi_batch *batch, const MPI_Request *request) SIS_COLD;
/* The status may be NULL if the call is not measured. */
void sis__mpi_complete(struct sis_mpi_call *call, unsigned flags, MPI_Request was,
		       const MPI_Status *status);
/* For requests other than a single send or receive, and cancelled ones. */
void sis__mpi_done_slow(struct sis_mpi_call *call, unsigned flags, struct sis_mpi_request *request,
			const MPI_Status *status) SIS_COLD;
/* For all requests, if the call is not measured. */
void sis__mpi_done_off(struct sis_mpi_request *request);
void sis__mpi_test(struct sis_mpi_call *call, int done, MPI_Request was, const MPI_Status *status);
void sis__mpi_asked(struct sis_mpi_call *call, int done, MPI_Request request);
void sis__mpi_arrived(struct sis_mpi_call *call, int done, MPI_Request request);

/* -- Collectives ------------------------------------------------------------------------------- */
/* Records a collective. Returns its communicator; NULL: bytes are not counted (not measured, or an
 * intercommunicator). */
struct sis_mpi_comm *sis__mpi_collective(struct sis_mpi_call *call, enum sis_record_kind kind,
					 MPI_Comm comm, int root);
void sis__mpi_collective_on(struct sis_mpi_call *call, enum sis_record_kind kind,
			    struct sis_mpi_comm *comm, int root, uint64_t serial);
/* The same for a collective that has only begun, or whose persistent request was made. */
struct sis_mpi_comm *sis__mpi_collective_begun(struct sis_mpi_call *call, enum sis_record_kind kind,
					       MPI_Comm comm, int root, MPI_Request request);
struct sis_mpi_comm *sis__mpi_collective_init(enum sis_record_kind kind, MPI_Comm comm, int root,
					      MPI_Request request);
/* each time it is started */
void sis__mpi_collective_moves(MPI_Request request, uint64_t sent, uint64_t received);
void sis__mpi_collective_started(const struct sis_mpi_call *call, struct sis_mpi_request *request);
/* Sum of counts x types over the members; one type for all unless `each`. */
uint64_t sis__mpi_bytes_v(const int *counts, const MPI_Datatype *types, int each, uint32_t members);
uint64_t sis__mpi_bytes_v_c(const MPI_Count *counts, const MPI_Datatype *types, int each,
			    uint32_t members);

/* The neighbours of this process in a communicator's topology, in the order of MPI's arrays: those
 * that send to it, and those that it sends to. Beyond a border of a grid there is no neighbour, but
 * the arrays have an element. */
struct sis_mpi_neighbours {
	struct sis_mpi_side {
		uint32_t places, present;
		const bool *absent; /* by index; NULL: all are present */
	} from, to;
	_Atomic bool recorded;      /* `rank` is in the log */
	/* from.present ranks of those that send; after them, of a grid, what `absent` points to */
	int rank[];
};
/* NULL: bytes are not counted, because there is no memory or the call is not measured. */
const struct sis_mpi_neighbours *sis__mpi_neighbours(struct sis_mpi_call *call, MPI_Comm comm);
const struct sis_mpi_neighbours *sis__mpi_neighbours_begun(struct sis_mpi_call *call, MPI_Comm comm,
							   MPI_Request request);
const struct sis_mpi_neighbours *sis__mpi_neighbours_init(struct sis_mpi_call *call, MPI_Comm comm,
							  MPI_Request request);
/* Sum of counts x types over the neighbours that are present. */
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

/* Ends the thread's phase before a collective begins. Returns its record if it was long enough or
 * is the `last`, else NULL. `now` increases by the time that this takes, which is booked as cost of
 * the probes. */
struct sis_record *sis__mpi_phase(struct sis_thread *thread, bool last, uint64_t *now);
/* Whether the phase is long enough: most are not. */
extern uint64_t sis__mpi_shortest; /* ticks; 0: not known yet */
extern uint64_t sis__mpi_long;     /* ticks; after such a call, sis__no_processor_note is called */
static inline bool sis__mpi_phase_is_due(const struct sis_thread *thread, uint64_t now)
{
	return now - thread->phase_look >= __atomic_load_n(&sis__mpi_shortest, __ATOMIC_RELAXED);
}
/* The same before a call that is no collective, if a look is due. The next phase begins there. */
struct sis_record *sis__mpi_message_phase(struct sis_thread *thread, uint64_t *now);
/* The thread's next phase begins at the end of this collective. The one before is written if the
 * collective was long and the phase is not written yet. */
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

/* At the end of MPI_Init: writes what a wrapper costs (mpi_cost.c). */
void sis__mpi_cost_note(void);
/* At the end of MPI_Init: prepares the merge at MPI_Finalize (mpi_unify.c). */
void sis__mpi_unify_begin(int rank, int size);

/* -- Sessions (mpi_world.c) -------------------------------------------------------------------- */
#if MPI_VERSION >= 4
void sis__mpi_session(MPI_Session session);
#endif

#pragma GCC visibility pop
#endif
