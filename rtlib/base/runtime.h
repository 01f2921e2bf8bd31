/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime.h - the data that all parts of the runtime share: regions, threads, activations. Never
 * installed; programs see sis/ only.
 *
 * Rules for all parts: a probe never exits, aborts or prints, and it keeps errno. If an allocation
 * fails, that is counted in the thread, and the activation is not measured. SIS_EXPORT marks what
 * libsis-mpi.so and sis-counters use of libsis.so.
 */
#ifndef SIS_RUNTIME_H
#define SIS_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#define SIS__WEAK            /* the runtime defines them */
#define SIS__PROBE_LINKAGE SIS__NOINLINE /* the runtime has its own copy of the probes */
/* The probes access nodes and threads as struct sis__node and struct sis__thread, the runtime as
 * struct sis_node and struct sis_thread. In C two structs do not alias, so where both are used in
 * one function a compiler might move a load through one above a store through the other. With
 * may_alias it must assume that an access through the probes' structs touches anything. The
 * attribute stands on these two and not as -fno-strict-aliasing on all of rtlib, since no other
 * structs of the runtime are cast into each other. lib/sis/probes*.o do without: they see the
 * probes' structs only, and are compiled apart from everything that sees the others. */
#define SIS__MIRROR __attribute__((__may_alias__))
#include "sis/probe.h"
#include "tables.h"

#define SIS_LIKELY(x) __builtin_expect(!!(x), 1)
#define SIS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SIS_COLD __attribute__((cold))
#define SIS_HIDDEN __attribute__((visibility("hidden")))
#define SIS_EXPORT __attribute__((visibility("default")))

#pragma GCC visibility push(default) /* libsis-mpi.so uses these of libsis.so */

/* -- Region ids -----------------------------------------------------------------------------------
 * 1 .. SIS_REGION_TYPES-1     built in: the region type of that number (RT_IBAR is region RT_IBAR)
 * SIS_MPI_ID(i)               built in: routine i of mpi.def, for calls from code that sisc did not
 *                             compile
 * from SIS_FIRST_UNIT_ID      regions of registered translation units
 */
enum {
#define SIS_MPI(routine, region, leaf, wait, match) SIS_ROUTINE_##routine,
#include "mpi.def"
#undef SIS_MPI
	SIS_MPI_ROUTINES
};
#define SIS_MPI_ID(routine) ((uint32_t)SIS_REGION_TYPES + (uint32_t)(routine))
#define SIS_FIRST_UNIT_ID SIS_MPI_ID(SIS_MPI_ROUTINES)

/* Who turned a region off. It is on again if nobody wants it off. */
enum sis_off_by { SIS_OFF_BY_FILTER = 1, SIS_OFF_BY_BUDGET = 2, SIS_OFF_BY_RULE = 4 };

struct sis_region_fact { /* what the runtime must know of a region, indexed by id */
	uint16_t type;       /* enum sis_region_type */
	uint16_t routine;    /* index into mpi.def, SIS_MPI_ROUTINES: no MPI call */
	uint32_t set;        /* metric set beyond the default, 0 none */
	uint8_t off;         /* enum sis_off_by, a bit each; 0: it is on */
	/* while a rule alone has it off: so many enters are still to be looked at (probe.c) */
	uint16_t looks;
	bool no_counters;    /* its metrics are not read for now */
	bool was_off;        /* in this run: its leaves may match no enter */
	uint8_t clauses;     /* of a construct of OpenMP: enum sis_clause; atomic (omp/clauses.c) */
	/* of a construct that creates tasks, and of these: some were executed where they were
	 * created; atomic (omp/omp_create.c) */
	bool at_once;
	bool in_pairs;       /* each activation that its probes enter is left, and no other */
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

/* Ticks of a pair of probes by the rung of the node, as process/calibrate.c measured them. */
extern SIS_HIDDEN double sis__pair_ticks[SIS_RUNGS];

/* -- Threads ----------------------------------------------------------------------------------- */
struct sis_team; /* omp_team.c */
struct sis_stream; /* tracing.h */
struct sis_culprits; /* culprit.c */

/* a call about to happen (SIS_SITE), or a task about to be created (SIS_TASK); valid while `node`
 * is the current one */
struct sis_site {
	uint32_t id;
	/* SIS_MPI_ROUTINES: a task; with SIS_ID_SPECIAL: it has metrics beyond the default */
	uint32_t routine;
	struct sis_node *node;
};

struct sis_overlap { /* an open activation that may go on when one around it ends (overlap.c) */
	struct sis_node *node;  /* of the part that is open */
	struct sis_node *first; /* where it was entered and counted */
	uint64_t before;        /* ticks of the parts that ended */
	uint64_t folds;         /* of the thread, in that part */
};

struct sis_fold { /* an open activation that has no node of its own (fold.c) */
	struct sis_node *node;  /* to which it was added */
	struct sis_node *from;  /* the current node before */
	uint64_t start;         /* ticks when it began */
	uint64_t suspended;     /* nodes from `from` up to `node`, which is not included */
};

#define SIS_HELD 4
#define SIS_UNTIMED 64 /* one in so many entries that do not wait is timed (uncontended.h) */
#define SIS_SITES 8
#define SIS_OVERLAPS 64
struct sis_thread { /* at the head of its slot's SIS_CHUNK_THREAD */
	struct sis_profile_thread pub; /* what readers see; pub.current first: probes know that */
	/* elements of `site` in use, innermost last; if it is full, the oldest is dropped */
	uint32_t sites;
	uint32_t overlaps;             /* elements of `overlap` in use, innermost last */
	struct sis_site site[SIS_SITES];
	struct sis_node *entered_from; /* the probes' (pair.h) */
	struct sis_stream *trace;      /* where its events go (tracing.h); NULL: no trace */
	uint64_t *fold;                /* stack of folded activations, private; NULL: none yet */
	uint64_t folds, fold_room;     /* words of it in use; words in all */
	/* ticks: end of the last collective, or 0 (mpi_phase.c) ... */
	uint64_t phase_start;
	struct sis_node *phase_node;   /* ... and the node that was current then */
	uint64_t phase_look;           /* ticks: when `seen` of the nodes was last updated */
	uint64_t phase_due;            /* ticks: when a call that is no collective looks, too */
	char *record_next, *record_end; /* room in `records`; its `used` is one record behind */
	struct sis_record_pack record_pack; /* of `records` */
	/* The chunk of each kind that is being filled; NULL: none. */
	struct sis_chunk *nodes, *values, *records, *user_values, *culprits, *estimates;
	char *record_ready;            /* end of the pages of `records` that exist (record_log.c) */
	uint64_t record_before;        /* bytes of records in earlier chunks */
	uint64_t node_count;           /* in its tree */
	struct sis_overlap overlap[SIS_OVERLAPS];
	struct sis_index *index;       /* children by region, for nodes with many */
	struct sis_user_table *user;   /* user_values by node and name; NULL: none */
	struct sis_culprits *culprit_table; /* finds sums in `culprits` (culprit.c); NULL: none */
	struct sis_looked *looked;     /* its nodes at the last looks (interval.c); NULL: none */
	struct sis_team *team;         /* innermost team, NULL outside */
	struct sis_team *spare_team;   /* memory for a team of one; NULL: none (team_alloc.c) */
	/* of the entries that do not wait (uncontended.h): how many more are not timed, and how
	 * many the next timed one stands for */
	uint32_t untimed, stands_for;
	const void *held[SIS_HELD];    /* its locks (lock_holders.c); other threads read this */
	/* where its team, or else the thread itself, was made, as in struct sis_stack (stacks.h) */
	uint64_t stack_origin;
	/* the innermost task that it executes: where that was made; NULL: none, or not known */
	const struct sis_task_origin *task_stack;
	uint64_t task_end;             /* address in the frame that called the task's function */
	/* when it was not measured, by cause; the one in force, NULL: none (profile/switched.h) */
	struct sis_switched *pauses, *pause;
};

/* The empty thread: the state of threads that are not measured, or not known yet. Its current node
 * has no children, so that every probe takes the slow path. Nothing is ever written to it. */
extern struct sis_thread sis__empty;
struct sis_thread *sis__thread_slow(void); /* process/attach.c */
/* sis__thread() is NULL, and will be until sis__refresh changes that: the thread is muted, or an
 * activation was skipped, or nothing is measured in this process. Wrappers test it first, so that a
 * call that is not measured costs little more than the library's function. False if it is not
 * known. */
extern __thread bool sis__off __attribute__((tls_model("initial-exec")));

/* This thread's state, made on first use. NULL: the thread is not measured, because it is muted or
 * inside the runtime, because measurement is off, or for lack of memory. */
static inline struct sis_thread *sis__thread(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	if (SIS_UNLIKELY(thread == &sis__empty))
		thread = sis__thread_slow();
	return thread;
}

/* Functions that end an activation return this if the activation was not timed. */
#define SIS_NO_TICKS UINT64_MAX

/* Ticks of an open activation until now; SIS_NO_TICKS: it is not timed. */
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

/* A timed activation inside `node` has ended. Adds its ticks to `node` and the nodes around it, as
 * far as their activations are sampled. */
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

/* One of the thread's open activations. A node has several of them if recursion is folded, and
 * `folds` says which one this is. */
struct sis_activation {
	struct sis_node *node; /* NULL: none */
	uint64_t folds;        /* of the thread, while this one is the innermost */
};
static inline struct sis_activation sis__innermost(const struct sis_thread *thread)
{
	return (struct sis_activation){ thread->pub.current, thread->folds };
}
static inline bool sis__is_same(struct sis_activation a, struct sis_activation b)
{
	return a.node == b.node && a.folds == b.folds;
}
/* The entry of a folded activation; NULL: this one is not folded. */
static inline struct sis_fold *sis__fold_of(const struct sis_thread *thread,
					    struct sis_activation at)
{
	struct sis_fold *fold = at.folds ? (struct sis_fold *)(thread->fold + at.folds) - 1 : NULL;
	return fold && fold->node == at.node ? fold : NULL;
}
/* The activation around it. Around that of the root there is none (node: NULL). */
static inline struct sis_activation sis__outer(const struct sis_thread *thread,
					       struct sis_activation at)
{
	const struct sis_fold *fold = sis__fold_of(thread, at);
	if (SIS_LIKELY(!fold))
		return (struct sis_activation){ at.node->parent, at.folds };
	uint64_t words = sizeof *fold / sizeof *thread->fold + fold->suspended;
	return (struct sis_activation){ fold->from, at.folds - words };
}
/* When the innermost activation began. */
static inline uint64_t sis__innermost_start(const struct sis_thread *thread)
{
	const struct sis_fold *fold = sis__fold_of(thread, sis__innermost(thread));
	return sis_node_start(fold ? fold->start : thread->pub.current->start);
}

/* The profile's header. Never NULL; while there is no file, it is in anonymous memory. */
struct sis_profile_header *sis__header(void);

#pragma GCC visibility pop

static inline uint64_t sis__ticks(void) { return sis__now(); }

#endif
