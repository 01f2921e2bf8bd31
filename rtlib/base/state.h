/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - the data that all parts of the runtime read.
 *
 * Probes follow sis__self. sis__self points to the thread's own state. If probes have to take the
 * slow path, it points to the empty thread: the thread is new, muted or inside the runtime, or an
 * activation was skipped. In a process that traces, sis__self always points to the empty thread.
 * (The program's own probes trace without the slow path: sis/traced_pair.h.) sis__refresh computes
 * sis__self from sis__local, and sis__set_self stores it. Only process/calibrate.c and
 * adapters/mpi/mpi_cost.c store it without sis__set_self: while they measure, it points to a
 * scratch thread.
 */
#ifndef SIS_RT_STATE_H
#define SIS_RT_STATE_H

#include "base/config.h"
#include "base/lock.h"
#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

struct sis_local { /* the state of a thread; `it` in these comments is the thread */
	struct sis_thread *own; /* the state of its slot; NULL: it has no slot yet */
	uint32_t muted;         /* calls of sis_measure(0) without sis_measure(1) yet */
	uint32_t paused;        /* how many of the calls in `muted` are by SIS_PAUSE */
	uint32_t skipped;       /* activations that began unmeasured and have not ended */
	uint32_t skipped_before;/* `skipped` when the thread was muted */
	uint32_t inside;        /* > 0: in the runtime; a signal handler's regions are skipped */
	uint32_t tid;           /* the kernel's number of the thread; 0: not known yet */
	uint32_t exits;         /* how often the thread's destructor has run */
	bool refused;           /* no slot was free; the thread does not ask again */
	bool bare;              /* libc does not know the thread (base/bare_thread.h) */
	bool runtime;           /* a thread of the runtime (base/own_thread.h) */
	bool known;             /* it had a slot before any thread was in a sandbox */
	bool confined;          /* it went into a sandbox itself */
	/* it opens the profile in a signal handler, which may have interrupted malloc or the
	 * dynamic linker */
	bool interrupts;
	/* If true, nothing is measured in this thread, and no other thread's waits depend on it. So
	 * functions of OpenMP only forward. If in doubt, it is false. Set by sis__refresh and the
	 * slow path. */
	bool off;
	struct sis_thread *traced; /* `own` while probes measure and trace; else NULL */
};
extern __thread struct sis_local sis__local __attribute__((tls_model("initial-exec")));
/* Used instead of NULL where a probe follows a pointer without a test. */
extern struct sis_node sis__no_node;

/* The expected record of threads that have no records yet, or no memory for their table of
 * records. This expected record equals no other one, so each record is written in full. It is never
 * changed. */
extern struct sis_record_place sis__no_place;
#define SIS_NO_PACK { .last = &sis__no_place, .due = &sis__no_place }

/* Distance of the executable's copy of sis__self from the thread pointer; 0: there is no copy. */
extern long sis__self_distance;

/* Whether the executable's own probes trace (sis/traced_pair.h). If so, the executable's copy of
 * sis__self points to the thread that traces, and not to the empty thread. */
extern bool sis__near_is_traced;

/* The executable's copy of sis__self or, without a copy, sis__self. */
static inline struct sis__thread **sis__self_near(void)
{
	if (!sis__self_distance)
		return &sis__self;
	return (struct sis__thread **)((char *)__builtin_thread_pointer() + sis__self_distance);
}

/* Makes this thread's probes find `thread`: updates sis__self and the executable's copy. While the
 * two differ, the copy points to the empty thread, so that no probe sees a stale thread. */
static inline void sis__set_self(struct sis_thread *thread)
{
	struct sis__thread **near = sis__self_near();
	*near = (struct sis__thread *)&sis__empty;
	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* pairs with a signal handler in this thread */
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
/* A thread in a sandbox (seccomp) is confined: the kernel may end the process if the thread makes a
 * system call that the program does not allow. So the runtime makes no system calls in such a
 * thread. If the runtime calls a function that would make one, the function fails with EPERM
 * (adapters/libc/system_calls.c). Measured data goes to memory that exists already, or is counted
 * as lost. */
enum sis_confined {
	SIS_CONFINED_NONE,
	SIS_CONFINED_SOME, /* some threads, and the threads that they made */
	SIS_CONFINED_ALL
};
/* Which threads of the process are confined (enum sis_confined). Relaxed is enough: if a thread
 * confines another one, one of the two waits for the other (sis__confine). */
extern uint32_t sis__confined;
bool sis__thread_is_confined(void);
extern bool sis__confined_clocks; /* reading the kernel's clocks needs no system call */
static inline bool sis__is_confined(void)
{
	return SIS_UNLIKELY(__atomic_load_n(&sis__confined, __ATOMIC_RELAXED)) &&
	       sis__thread_is_confined();
}

/* -- The mapped file --------------------------------------------------------------------------- */
struct sis_store {
	char *base;        /* where the file is mapped; the header is there */
	uint64_t reserved; /* bytes of addresses that are reserved for the file */
	uint64_t most;     /* largest value that `reserved` may have */
	uint64_t capacity; /* bytes from `base` on that can be written to */
	uint64_t ready;    /* bytes from `base` on whose pages exist */
	struct sis_lock lock; /* guards growth, and header->size */
};
extern struct sis_store sis__store;
/* Whether the file exists and belongs to this process (not to its parent). Accessed by the two
 * functions below only. Relaxed is enough: before a thread uses the file, it takes the store's
 * lock, or loads a slot's state with acquire. */
extern bool sis__store_live;
static inline bool sis__store_is_live(void)
{
	return __atomic_load_n(&sis__store_live, __ATOMIC_RELAXED);
}
static inline void sis__store_set_live(bool live)
{
	__atomic_store_n(&sis__store_live, live, __ATOMIC_RELAXED);
}
/* Whether all threads of this process are measured, although the program has no probes
 * (process/watch.c). */
extern bool sis__measures_all;
/* Whether the process has no profile yet, and gets one at the first call that sleeps. */
extern bool sis__watched;
/* With SIS_RUN, why the program cannot be measured (process/start.c), a word that its line in the
 * list of short processes has; NULL: it can. */
extern const char *sis__refused;
extern bool sis__store_tried;  /* this process has tried to open the file */
extern bool sis__store_frozen; /* later writes do not reach the file */
extern int sis__store_full;    /* errno if the file could not grow, else 0; reported at the end */

/* -- The process ------------------------------------------------------------------------------- */
extern bool sis__started;
/* Whether this process is a forked child of a measured process. A thread of the parent may have
 * held the dynamic linker's lock at the fork. So the runtime does not call the dynamic linker in a
 * child. */
extern bool sis__is_child;
/* Whether the calling thread must not call the dynamic linker. */
static inline bool sis__linker_is_forbidden(void)
{
	return sis__is_child || sis__local.interrupts;
}
bool sis__in_this_process(void); /* false in a child of vfork, which uses its parent's memory */

#pragma GCC visibility pop
#endif
