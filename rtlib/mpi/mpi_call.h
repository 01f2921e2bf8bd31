/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_call.h - what the wrappers of MPI share. It uses of libsis what SIS_EXPORT marks.
 *
 *   mpi_wrappers.awk  writes a wrapper for each routine: begin, PMPI, end, then one of the
 *                     functions below
 *   mpi_call.c        begin and end of a call
 *   mpi_fast_path.h, mpi_record.h   the same inline, for calls that repeat the previous one
 *   mpi_bytes.c       sizes of messages
 *   mpi_message.c     point to point; mpi_request.[ch]: active requests
 *   mpi_complete.c    their completion
 *   mpi_collective.c  collectives, files; mpi_phase.c: what ran between two collectives
 *   mpi_neighbour.c   collectives with the neighbours in a topology
 *   mpi_comm.c        communicators and windows
 *   mpi_rma.c         one-sided transfers, and the synchronization that is not collective
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

/* A call of MPI under way, on its wrapper's stack. */
struct sis_mpi_call {
	struct sis_thread *thread; /* NULL: not measured (muted, nested, no memory) */
	struct sis_node *node;     /* the call's activation */
	uint64_t enter, exit;      /* ticks */
	/* made by the MPI library or by a callback inside another call: not looked at */
	bool nested;
	/* its region has no metrics that must be read, and is not traced */
	bool plain;
};

/* The outermost call under way in this thread. Calls made inside it have their frames below its
 * own; when one comes from above, it was left by a jump (an error handler's longjmp).
 * LIMIT: until then calls from deeper frames go unmeasured. */
struct sis_mpi_outermost {
	uintptr_t frame; /* 0: none */
	struct sis_node *node;
};
extern __thread struct sis_mpi_outermost sis__mpi_outermost
	__attribute__((tls_model("initial-exec")));

/* `frame` is an address in the frame of whom the program has called. */
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
void sis__mpi_end_slow(struct sis_mpi_call *call); /* however it began */
/* Puts the record in the log, if the call is measured; node and times are filled in. The slow way
 * gets a copy that is made for it, so that the quick one has all in registers; it is
 * sis__record_put, called from where the compiler puts what is cold. */
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
	/* the region's own metrics, if any, stand behind these */
	return SIS_LIKELY(call->thread && call->node->values)
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
/* Calls may go the quick way (mpi_fast_path.h): MPI has begun, and ticks are the processor's. */
extern bool sis__mpi_may_be_quick;

/* -- Communicators, and windows as communicators of their own ---------------------------------- */
struct sis_mpi_neighbours;
struct sis_mpi_comm {
	_Atomic uint64_t key;    /* of the handle; 0: freed, may be used again */
	struct sis_mpi_comm *_Atomic next; /* of the same bucket, for ever */
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
/* NULL: no memory. One that was never seen being made is taken in without a name. */
struct sis_mpi_comm *sis__mpi_comm_slow(MPI_Comm comm);
static inline struct sis_mpi_comm *sis__mpi_comm(MPI_Comm comm)
{
	return SIS_LIKELY(comm == MPI_COMM_WORLD) ? &sis__mpi_world : sis__mpi_comm_slow(comm);
}
/* Its id for messages, whose peers are on the other side of an intercommunicator; SIS_UNMATCHED:
 * not to be matched. */
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
/* Takes in the world, and self if it can be used; true for the first that does. `group` is given
 * away. */
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
struct sis_mpi_ended { /* what a communicator or window was before the call that ends it */
	uint32_t id;     /* SIS_UNMATCHED: not known */
	bool inter;
	uint64_t serial; /* win: of that call */
};
struct sis_mpi_ended sis__mpi_comm_ends(MPI_Comm comm);
void sis__mpi_comm_free(MPI_Comm comm, const struct sis_mpi_ended *ended);
void sis__mpi_comm_name(MPI_Comm comm, const char *name);
void sis__mpi_win_new(struct sis_mpi_call *call, MPI_Comm parent, MPI_Win made);
struct sis_mpi_ended sis__mpi_win_ends(MPI_Win win);
void sis__mpi_win_free(struct sis_mpi_call *call, MPI_Win win, const struct sis_mpi_ended *ended);
void sis__mpi_fence(struct sis_mpi_call *call, MPI_Win win);

struct sis_mpi_comm *sis__mpi_win(MPI_Win win); /* NULL: never seen being made */

/* -- One-sided (mpi_rma.c) --------------------------------------------------------------------- */
void sis__mpi_rma(struct sis_mpi_call *call, enum sis_record_kind kind, MPI_Count count,
		  MPI_Datatype type, int target, MPI_Win win);
void sis__mpi_epoch(struct sis_mpi_call *call, enum sis_record_kind kind, unsigned flags,
		    MPI_Win win);
void sis__mpi_epoch_at(struct sis_mpi_call *call, enum sis_record_kind kind, int target,
		       unsigned flags, MPI_Win win);
void sis__mpi_epoch_of(struct sis_mpi_call *call, enum sis_record_kind kind, MPI_Group group,
		       MPI_Win win);
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
	SIS_REQUEST_MESSAGE, /* no request: a message that a matched probe has taken */
};

/* Its fields are plain: with unions the compiler makes one in memory and copies it, which
 * non-blocking calls feel. */
struct sis_mpi_request {
	struct sis_mpi_request *next;
	uint64_t key;       /* of the handle */
	/* of the record that made it active; BOTH: the send's, the receive's is one more */
	uint64_t serial;
	uint64_t bytes;     /* sent; PARTED_RECV: asked for; COMM: the new communicator's number */
	const void *owner;  /* the thread that began it (mpi_request.c) */
	MPI_Comm *made;     /* COMM: where the new handle will be */
	uint32_t comm;      /* id, or SIS_UNMATCHED; COMM: of the parent */
	/* as they were asked for; BOTH: the send's, ...; COLLECTIVE: the root, enum
	 * sis_record_kind */
	int32_t peer, tag;
	/* ... and the receive's; PARTED_SEND: parts of the message, and how many are not ready */
	int32_t from, from_tag;
	uint64_t number;    /* COLLECTIVE: in its communicator; persistent: of the next one */
	uint64_t received;  /* COLLECTIVE: bytes, as `bytes` */
	uint16_t flags;     /* SIS_RECORD_SYNCHRONOUS, _PARTITIONED */
	uint8_t kind;       /* enum sis_mpi_request_kind */
	bool persistent, active, cancelled;
};

void sis__mpi_cancel(MPI_Request request);
void sis__mpi_request_free(struct sis_mpi_call *call, MPI_Request request);

/* Handles are integers or pointers, as the MPI has it; messages get keys of their own. */
#define SIS_KEY(handle) ((uint64_t)(uintptr_t)(handle) << 1)
#define SIS_MESSAGE_KEY(handle) (SIS_KEY(handle) | 1)

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
/* no send or receive alone */
void sis__mpi_started_slow(struct sis_mpi_call *call, struct sis_mpi_request *request) SIS_COLD;
void sis__mpi_mprobe(int found, MPI_Message message, MPI_Comm comm);
void sis__mpi_mrecv(struct sis_mpi_call *call, MPI_Message message, const MPI_Status *status);
void sis__mpi_imrecv(struct sis_mpi_call *call, MPI_Message message, MPI_Request request);

/* -- Completion -------------------------------------------------------------------------------- */
enum { SIS_BATCH = 32 }; /* requests of a batch that need no heap: 3 KiB of stack */
struct sis_mpi_batch {
	int count;           /* 0: nothing to complete, or no memory */
	MPI_Request *was;    /* the handles before the call, which clears them */
	MPI_Status *status;  /* what PMPI fills: the caller's, or ours when it ignores them */
	bool lent;           /* `was` and perhaps `status` are in `block`, on the heap */
	void *block;
	MPI_Request small_was[SIS_BATCH];
	MPI_Status small_status[SIS_BATCH];
};
void sis__mpi_batch_begin(struct sis_mpi_batch *batch, MPI_Count count, const MPI_Request *request,
			  MPI_Status *status);
void sis__mpi_batch_end(struct sis_mpi_batch *batch);
void sis__mpi_batch_all(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags);
void sis__mpi_batch_test(struct sis_mpi_call *call, struct sis_mpi_batch *batch, int done);
void sis__mpi_batch_one(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			int index, const MPI_Status *status);
void sis__mpi_batch_some(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			 int count, const int *index);
/* A receive failed since the message was longer than its buffer: it is received all the same, what
 * comes next is another. `cut` is its status, but that how much of it has come is not told. */
bool sis__mpi_was_cut(int code, const MPI_Status *status, MPI_Status *cut) SIS_COLD;
/* The call failed; of `count` requests, those of `index` (NULL: the first), some may be complete:
 * each has its own code. */
void sis__mpi_batch_partly(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			   int code, int count, const int *index) SIS_COLD;
void sis__mpi_complete(struct sis_mpi_call *call, unsigned flags, MPI_Request was,
		       const MPI_Status *status);
/* What is not a send or receive alone, or was cancelled. */
void sis__mpi_done_slow(struct sis_mpi_call *call, unsigned flags, struct sis_mpi_request *request,
			const MPI_Status *status) SIS_COLD;
void sis__mpi_test(struct sis_mpi_call *call, int done, MPI_Request was, const MPI_Status *status);

/* -- Collectives and files --------------------------------------------------------------------- */
/* Records a collective; its communicator, or NULL when bytes are not wanted (not measured,
 * intercommunicator). */
struct sis_mpi_comm *sis__mpi_collective(struct sis_mpi_call *call, enum sis_record_kind kind,
					 MPI_Comm comm, int root);
void sis__mpi_collective_on(struct sis_mpi_call *call, enum sis_record_kind kind,
			    struct sis_mpi_comm *comm, int root, uint64_t serial);
/* Likewise, of one that has only begun, or is prepared to be begun. */
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

/* The neighbours of this process in a communicator's topology, in the order of the arrays that
 * tell of them: those that send to it, and those that it sends to. Beyond a border of a grid there
 * is nobody, but a place. */
struct sis_mpi_neighbours {
	struct sis_mpi_side {
		uint32_t places, present;
		const bool *nobody; /* by place; NULL: all are present */
	} from, to;
	bool border[];              /* of a grid: where `nobody` points to */
};
const struct sis_mpi_neighbours *sis__mpi_neighbours(MPI_Comm comm); /* NULL: no memory */
const struct sis_mpi_neighbours *sis__mpi_neighbours_init(MPI_Comm comm, MPI_Request request);
/* Sum of counts x types over those present. */
uint64_t sis__mpi_bytes_at(const int *counts, const MPI_Datatype *types, int each,
			   const struct sis_mpi_side *side);
uint64_t sis__mpi_bytes_at_c(const MPI_Count *counts, const MPI_Datatype *types, int each,
			     const struct sis_mpi_side *side);

void sis__mpi_io(struct sis_mpi_call *call, int writes, const MPI_Status *status);
void sis__mpi_io_begun(struct sis_mpi_call *call, int writes, MPI_Count count, MPI_Datatype type);

/* Ends the thread's phase before a collective begins: its record if it was long enough or is the
 * `last`, else NULL. `now` moves on by the time that takes, which is booked as the probes'. */
struct sis_record *sis__mpi_phase(struct sis_thread *thread, bool last, uint64_t *now);
/* Whether it would look: most phases are too short. */
extern uint64_t sis__mpi_shortest; /* ticks; 0: not known yet */
static inline bool sis__mpi_phase_is_due(const struct sis_thread *thread, uint64_t now)
{
	return now - thread->phase_look >= __atomic_load_n(&sis__mpi_shortest, __ATOMIC_RELAXED);
}
/* The same before a call that is no collective, if a look is due. The next phase begins there. */
struct sis_record *sis__mpi_message_phase(struct sis_thread *thread, uint64_t *now);
/* The next phase of the thread begins at the end of this collective; the one before is written if
 * it still has to be. */
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

/* At the end of MPI_Init: what is to be done at MPI_Finalize (mpi_unify.c). */
void sis__mpi_unify_begin(int rank, int size);

/* -- Sessions (mpi_world.c) -------------------------------------------------------------------- */
#if MPI_VERSION >= 4
void sis__mpi_session(MPI_Session session);
#endif

#pragma GCC visibility pop
#endif
