/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - the data that all parts of the runtime read.
 *
 * Probes follow sis__self. It points to the thread's own state, or to the empty thread if probes
 * have to take the slow path: the thread is new, muted or inside the runtime, or an activation was
 * skipped. In a process that traces it always points to the empty thread (the program's own probes
 * trace without the slow path: sis/traced_pair.h). sis__refresh derives sis__self from sis__local.
 * sis__set_self sets it; only process/calibrate.c and mpi/mpi_cost.c set it directly, to a scratch
 * thread.
 */
#ifndef SIS_RT_STATE_H
#define SIS_RT_STATE_H

#include "base/config.h"
#include "base/lock.h"
#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

struct sis_local {
	struct sis_thread *own; /* the state of its slot; NULL: it has none yet */
	uint32_t muted;         /* calls of sis_measure(0) that are not undone yet */
	uint32_t paused;        /* how many of these are SIS_PAUSE's */
	uint32_t skipped;       /* activations that began unmeasured and have not ended */
	uint32_t skipped_before;/* `skipped` when it was muted */
	uint32_t inside;        /* > 0: in the runtime; a signal handler's regions are skipped */
	uint32_t tid;           /* the operating system's; 0: not asked for yet */
	uint32_t exits;         /* how often the thread's destructor has run */
	bool refused;           /* there was no free slot: do not ask again */
	bool bare;              /* libc does not know the thread (base/bare_thread.h) */
	bool runtime;           /* a thread of the runtime (base/own_thread.h) */
	bool known;             /* it had a slot before any thread was in a sandbox */
	bool confined;          /* it went into a sandbox itself */
	/* Nothing is measured in this thread, and no other one depends on what it does: functions
	 * of OpenMP only forward. Set by sis__refresh and by the slow path; false if in doubt. */
	bool off;
	struct sis_thread *traced; /* `own` while probes measure and trace; else NULL */
};
extern __thread struct sis_local sis__local __attribute__((tls_model("initial-exec")));
/* Means "none" where a probe follows a pointer without a test. */
extern struct sis_node sis__no_node;

/* The record that is due in threads that have no records yet, or no memory for their table. No
 * record equals it, so all are written whole. Nothing is ever written to it. */
extern struct sis_record_place sis__no_place;
#define SIS_NO_PACK { .last = &sis__no_place, .due = &sis__no_place }

/* Where the executable's copy of sis__self is, relative to the thread pointer; 0: there is none. */
extern long sis__self_distance;

/* The executable's probes trace (sis/traced_pair.h), so that its copy leads to the thread that
 * traces, and not to the empty thread. */
extern bool sis__near_is_traced;

/* The executable's copy of sis__self, or sis__self. */
static inline struct sis__thread **sis__self_near(void)
{
	if (!sis__self_distance)
		return &sis__self;
	return (struct sis__thread **)((char *)__builtin_thread_pointer() + sis__self_distance);
}

/* Makes this thread's probes find `thread`. Also updates the executable's copy. While the two
 * differ the copy points to an empty thread, so a probe never sees a stale one. */
static inline void sis__set_self(struct sis_thread *thread)
{
	struct sis__thread **near = sis__self_near();
	*near = (struct sis__thread *)&sis__empty;
	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* with a signal handler of this thread */
	sis__self = (struct sis__thread *)thread;
	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* likewise */
	bool traces = __atomic_load_n(&sis__near_is_traced, __ATOMIC_RELAXED);
	if (SIS_UNLIKELY(traces) && sis__local.traced)
		thread = sis__local.traced;
	*near = (struct sis__thread *)thread;
}

void sis__refresh(void);
/* Between guard and unguard this thread's probes do nothing. */
static inline void sis__guard(void)
{
	sis__local.inside++;
	sis__local.traced = NULL;
	sis__set_self(&sis__empty);
}
static inline void sis__unguard(void)
{
	sis__local.inside--;
	sis__refresh();
}

/* -- Sandboxes --------------------------------------------------------------------------------- */
/* A thread in a sandbox (seccomp) is confined: the kernel may end the process if it makes a system
 * call that the program does not allow itself. So the runtime makes none there. Its calls of
 * functions that would make one fail, with EPERM (libc/system_calls.c); what is measured stays in
 * memory that is there already, or is counted as lost. */
enum sis_confined {
	SIS_CONFINED_NONE,
	SIS_CONFINED_SOME, /* a thread, and those that it made */
	SIS_CONFINED_ALL
};
/* enum sis_confined of the process. Relaxed: a thread that is confined by another one has waited
 * for it, or is waited for (sis__confine). */
extern uint32_t sis__confined;
bool sis__thread_is_confined(void);
extern bool sis__confined_clocks; /* they can read the kernel's clocks without one */
static inline bool sis__is_confined(void)
{
	return SIS_UNLIKELY(__atomic_load_n(&sis__confined, __ATOMIC_RELAXED)) &&
	       sis__thread_is_confined();
}

/* -- The mapped file --------------------------------------------------------------------------- */
struct sis_store {
	char *base;        /* where the file is mapped; the header is there */
	uint64_t reserved; /* bytes of addresses */
	uint64_t most;     /* that may be reserved */
	uint64_t capacity; /* of these, bytes that can be written to */
	uint64_t ready;    /* of these, bytes from the beginning that have their pages */
	struct sis_lock lock; /* guards growth, and header->size */
};
extern struct sis_store sis__store;
/* The file is there and is this process's own. Use the two functions. Relaxed: a thread that uses
 * the file first takes the store's lock, or loads a slot's state with acquire. */
extern bool sis__store_live;
static inline bool sis__store_is_live(void)
{
	return __atomic_load_n(&sis__store_live, __ATOMIC_RELAXED);
}
static inline void sis__store_set_live(bool live)
{
	__atomic_store_n(&sis__store_live, live, __ATOMIC_RELAXED);
}
extern bool sis__store_tried;  /* to open it, in this process */
extern bool sis__store_frozen; /* what is written from now on does not reach the file */
extern int sis__store_full;    /* why it could not grow (errno), 0: it could; reported at the end */

/* -- The process ------------------------------------------------------------------------------- */
extern bool sis__started;
/* Whether this process is a forked child of a measured process. A thread of the parent may have
 * held the lock of the dynamic linker at the fork. So the runtime of a child does not call it. */
extern bool sis__is_child;
bool sis__in_this_process(void); /* false in a child of vfork, which uses its parent's memory */

#pragma GCC visibility pop
#endif
