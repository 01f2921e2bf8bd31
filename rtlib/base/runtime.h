/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime.h - the data that all parts of the runtime share: regions, threads, activations. Never
 * installed; programs see sis/ only.
 *
 * Rules for all parts: a probe never exits, aborts or prints, and it keeps errno. If an allocation
 * fails, the thread counts the failure, and the activation is not measured. SIS_EXPORT marks the
 * functions and variables of libsis.so that libsis-mpi.so and sis-counters use.
 */
#ifndef SIS_RUNTIME_H
#define SIS_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#define SIS__WEAK            /* the runtime defines the symbols of sis/probe.h */
#define SIS__PROBE_LINKAGE SIS__NOINLINE /* the runtime has its own copy of the probes */
/* The probes access nodes and threads as struct sis__node and struct sis__thread, the runtime as
 * struct sis_node and struct sis_thread. In C, accesses through two different structs do not alias.
 * So in a function that uses both, a compiler might move a load through one struct above a store
 * through the other. With may_alias the compiler must assume that an access through the probes'
 * structs may touch any object. No other structs of the runtime are cast into each other, so rtlib
 * is not compiled with -fno-strict-aliasing. lib/sis/probes*.o do not need the attribute: they see
 * the probes' structs only, and are compiled apart from the code that sees the runtime's. */
#define SIS__MIRROR __attribute__((__may_alias__))
#include "sis/probe.h"
#include "tables.h"

#define SIS_LIKELY(x) __builtin_expect(!!(x), 1)
#define SIS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SIS_COLD __attribute__((cold))
#define SIS_HIDDEN __attribute__((visibility("hidden")))
#define SIS_EXPORT __attribute__((visibility("default")))

#pragma GCC visibility push(default) /* libsis-mpi.so uses what libsis.so has of these */

/* -- Region ids -----------------------------------------------------------------------------------
 * 1 .. SIS_REGION_TYPES-1     built in: the region type of that number (RT_IBAR is region RT_IBAR)
 * SIS_MPI_ID(i)               built in: routine i of mpi.def, for calls from code that sisc did not
 *                             compile
 * from SIS_FIRST_UNIT_ID      regions of registered translation units, and of calls of built-in
 *                             regions (blame/stacks/callers.h)
 */
enum {
#define SIS_MPI(routine, region, leaf, wait, match) SIS_ROUTINE_##routine,
#include "mpi.def"
#undef SIS_MPI
	SIS_MPI_ROUTINES
};
#define SIS_MPI_ID(routine) ((uint32_t)SIS_REGION_TYPES + (uint32_t)(routine))
#define SIS_FIRST_UNIT_ID SIS_MPI_ID(SIS_MPI_ROUTINES)

/* Who turned a region off. The region is on while no bit is set. */
enum sis_off_by { SIS_OFF_BY_FILTER = 1, SIS_OFF_BY_BUDGET = 2, SIS_OFF_BY_RULE = 4 };

struct sis_region_fact { /* what the runtime must know of a region, indexed by id */
	uint16_t type;       /* enum sis_region_type */
	uint16_t routine;    /* index into mpi.def; SIS_MPI_ROUTINES: no call of MPI */
	uint16_t builtin;    /* the built-in region that it is, or that is called there; 0: none */
	uint32_t set;        /* metric set beyond the default, 0 none */
	uint8_t off;         /* bits of enum sis_off_by; 0: the region is on */
	/* if only a rule turned it off: how many more of its enters reach the runtime (probe.c)
	 */
	uint16_t looks;
	bool no_counters;    /* at present its metrics are not read */
	bool was_off;        /* it was off earlier, so a leave may have no matching enter */
	uint8_t clauses;     /* of a construct of OpenMP: enum sis_clause; atomic (omp/clauses.c) */
	/* for a construct that creates tasks, and for the body of these tasks: some tasks were
	 * executed where they were created; atomic (adapters/omp/omp_create.c) */
	bool at_once;
};
enum { SIS_FACT_PAGE = 1024, SIS_FACT_PAGES = 4096 };
/* An element is NULL if none of the page's ids is registered. */
extern struct sis_region_fact *sis__fact_pages[SIS_FACT_PAGES];
extern const struct sis_region_fact sis__no_fact;
/* Never NULL: an id that is not registered has the facts of CR_NONE. */
static inline const struct sis_region_fact *sis__region_fact(uint32_t id)
{
	uint32_t number = id / SIS_FACT_PAGE;
	const struct sis_region_fact *page = number < SIS_FACT_PAGES ? sis__fact_pages[number] : 0;
	return SIS_LIKELY(page != 0) ? &page[id % SIS_FACT_PAGE] : &sis__no_fact;
}

/* The built-in region that the node's region is, or of whose calls it is; 0: neither. */
static inline uint32_t sis__builtin_of(const struct sis_node *node)
{
	return sis__region_fact(sis_node_region(node))->builtin;
}

/* The ticks that a pair of probes takes, by the node's rung. process/calibrate.c measures them. */
extern SIS_HIDDEN double sis__pair_ticks[SIS_RUNGS];

/* -- Threads ----------------------------------------------------------------------------------- */
struct sis_team; /* omp_team.c */
struct sis_stream; /* tracing.h */
struct sis_culprits; /* culprit.c */

/* A call that is about to happen (SIS_SITE), or a task that is about to be created (SIS_TASK). The
 * element is valid while `node` is the current node. */
struct sis_site {
	uint32_t id;
	/* SIS_MPI_ROUTINES: a task; SIS_ID_SPECIAL is set if it has metrics beyond the default */
	uint32_t routine;
	struct sis_node *node;
};

/* An open activation that may continue when an activation around it ends. Such an activation is
 * measured in parts (overlap.c). */
struct sis_overlap {
	struct sis_node *node;  /* of the open part */
	struct sis_node *first; /* where the activation was entered and counted */
	uint64_t before;        /* ticks of the parts that ended */
	uint64_t folds;         /* the thread's `folds` in the open part */
	bool stays;             /* of an annotation: functions around it end without it */
};

struct sis_fold { /* an open activation that has no node of its own (fold.c) */
	struct sis_node *node;  /* to which the activation was added */
	struct sis_node *from;  /* the current node before the activation */
	uint64_t start;         /* ticks when the activation began */
	uint64_t suspended;     /* number of nodes from `from` up to `node`, without `node` */
};

#define SIS_HELD 4
#define SIS_UNTIMED 64 /* of this many entries that do not wait, one is timed (uncontended.h) */
#define SIS_SITES 8
#define SIS_OVERLAPS 64
struct sis_thread { /* stored at the begin of its slot's SIS_CHUNK_THREAD */
	struct sis_profile_thread pub; /* what readers see; probes expect pub.current to be first */
	/* elements of `site` in use, innermost last; if `site` is full, the oldest is dropped */
	uint32_t sites;
	uint32_t overlaps;             /* elements of `overlap` in use, innermost last */
	struct sis_site site[SIS_SITES];
	struct sis_node *entered_from; /* for the probes (pair.h) */
	struct sis_stream *trace;      /* takes its events (tracing.h); NULL: no trace */
	uint64_t *fold;                /* stack of folded activations, private; NULL: none yet */
	uint64_t folds, fold_room;     /* words of `fold` in use; words in all */
	/* ticks: begin of the current phase (mpi_phase.c): the end of the last collective, or of
	 * the last look of sis__mpi_message_phase if that was later; 0: the start of the root */
	uint64_t phase_start;
	struct sis_node *phase_node;   /* the current node at phase_start */
	uint64_t phase_look;           /* ticks: when `seen` of the nodes was last updated */
	/* ticks: from then on, a call that is no collective updates `seen`, too */
	uint64_t phase_due;
	char *record_next, *record_end; /* free room in `records`; `used` lacks the last record */
	struct sis_record_pack record_pack; /* of `records` */
	/* The chunk of each kind that is being filled; NULL: none. */
	struct sis_chunk *nodes, *values, *records, *user_values, *culprits, *estimates;
	char *record_ready;            /* end of the pages of `records` that exist (record_log.c) */
	uint64_t record_before;        /* bytes of records in earlier chunks */
	uint64_t node_count;           /* in its tree */
	struct sis_overlap overlap[SIS_OVERLAPS];
	struct sis_index *index;       /* for nodes with many children: finds a child by region */
	struct sis_user_table *user;   /* user_values by node and name; NULL: none */
	struct sis_culprits *culprit_table; /* finds sums in `culprits` (culprit.c); NULL: none */
	struct sis_looked *looked;     /* copies of its nodes (interval.c); NULL: none */
	struct sis_team *team;         /* innermost team; NULL: in no team */
	struct sis_team *spare_team;   /* memory for a team of one; NULL: none (team_alloc.c) */
	/* for entries that do not wait (uncontended.h): how many more of them stay untimed, and how
	 * many the next timed one stands for */
	uint32_t untimed, stands_for;
	const void *held[SIS_HELD];    /* its locks (lock_holders.c); other threads read this */
	/* offset (sis_stack.origin in stacks.h) of the stack that made its team or, without a
	 * team, the thread itself; 0: not known */
	uint64_t stack_origin;
	/* where the innermost task that it executes was created; NULL: no task, or not known */
	const struct sis_task_origin *task_stack;
	uint64_t task_end;             /* address in the frame that called the task's function */
	/* `pauses`: the times in which it was not measured, by cause. `pause`: the element for the
	 * present pause; NULL: it is measured (output/profile/switched.h) */
	struct sis_switched *pauses, *pause;
};

/* The empty thread: the state of threads that are not measured or not known yet. Its current node
 * has no children, so that every probe takes the slow path. The empty thread is never written to.
 */
extern struct sis_thread sis__empty;
struct sis_thread *sis__thread_slow(void); /* process/attach.c */
/* If true, sis__thread() returns NULL until the next sis__refresh: the thread is muted, an
 * activation was skipped, or nothing is measured in this process. If false, sis__thread() may still
 * return NULL. Wrappers test this first, so that a call that is not measured costs little more than
 * the library's function. */
extern __thread bool sis__off __attribute__((tls_model("initial-exec")));

/* This thread's state, made on first use. Returns NULL if the thread is not measured: it is muted
 * or inside the runtime, measurement is off, or there is no memory. */
static inline struct sis_thread *sis__thread(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	if (SIS_UNLIKELY(thread == &sis__empty))
		thread = sis__thread_slow();
	return thread;
}

/* Functions that end an activation return this if the activation was not timed. */
#define SIS_NO_TICKS UINT64_MAX

/* The ticks of an open activation up to `now`; SIS_NO_TICKS: the activation is not timed. */
static inline uint64_t sis__open_ticks(const struct sis_node *node, uint64_t now)
{
	uint64_t start = node->start;
	if (SIS_UNLIKELY(start >= SIS_START_CHOSEN)) {
		if (start == SIS_START_SAMPLED)
			return SIS_NO_TICKS;
		start = sis_node_start(start);
	}
	return now > start ? now - start : 0;
}

/* A timed activation inside of `node` has ended. If `node` has sampled timing, adds the ticks to
 * it, and likewise to the nodes around it. */
static inline void sis__add_inside_of(struct sis_node *node, uint64_t ticks)
{
	if (SIS_UNLIKELY(node->start == SIS_START_SAMPLED))
		sis__add_inside((struct sis__node *)node, ticks);
}

static inline void sis__add_extremes(struct sis_node *node, uint64_t ticks)
{
	if (SIS_UNLIKELY(ticks < node->min))
		node->min = ticks;
	if (SIS_UNLIKELY(ticks > node->max))
		node->max = ticks;
}
static inline void sis__add_ticks(struct sis_node *node, uint64_t ticks)
{
	node->total += ticks;
	sis__add_extremes(node, ticks);
}

/* One of the thread's open activations. If recursion is folded, a node has several open
 * activations, and `folds` says which one this is. */
struct sis_activation {
	struct sis_node *node; /* NULL: no activation */
	uint64_t folds;        /* the thread's `folds` while this activation is the innermost */
};
static inline struct sis_activation sis__innermost(const struct sis_thread *thread)
{
	return (struct sis_activation){ thread->pub.current, thread->folds };
}
static inline bool sis__is_same(struct sis_activation a, struct sis_activation b)
{
	return a.node == b.node && a.folds == b.folds;
}
/* The stack entry of a folded activation; NULL: the activation is not folded. */
static inline struct sis_fold *sis__fold_of(const struct sis_thread *thread,
					    struct sis_activation at)
{
	struct sis_fold *fold = at.folds ? (struct sis_fold *)(thread->fold + at.folds) - 1 : NULL;
	return fold && fold->node == at.node ? fold : NULL;
}
/* The activation around `at`. Its node is NULL if `at` is the activation of the root. */
static inline struct sis_activation sis__outer(const struct sis_thread *thread,
					       struct sis_activation at)
{
	const struct sis_fold *fold = sis__fold_of(thread, at);
	if (SIS_LIKELY(!fold))
		return (struct sis_activation){ at.node->parent, at.folds };
	uint64_t words = sizeof *fold / sizeof *thread->fold + fold->suspended;
	return (struct sis_activation){ fold->from, at.folds - words };
}
/* The ticks at which the innermost activation began. */
static inline uint64_t sis__innermost_start(const struct sis_thread *thread)
{
	const struct sis_fold *fold = sis__fold_of(thread, sis__innermost(thread));
	return sis_node_start(fold ? fold->start : thread->pub.current->start);
}

/* The profile's header. Never NULL: while there is no file, the header is in anonymous memory. */
struct sis_profile_header *sis__header(void);

#pragma GCC visibility pop

static inline uint64_t sis__ticks(void) { return sis__now(); }

#endif
