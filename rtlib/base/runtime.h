/* runtime.h - what the parts of the runtime share. Never installed; sis/ is what programs see.
 *
 *   rtlib/     thread.c slot.c: processing units, attach, exit, the empty thread; drg.c: nodes: find, make, unwind;
 *              fold.c: deep recursion; probe.c: the slow paths behind sis/probe.h; overlap.c;
 *              balance.c; region_registry.c: registered units, region ids;
 *              record_log.c: the log of operations; text.c: notes and warnings
 *   store/     the mapped file: chunks at a stable address; the experiment directory
 *   process/   start and end, forks, SIS_* settings
 *   counters/  metrics beyond time and calls
 *   trace/ culprits/ unify/   what happened when; for whom threads wait; one file for all ranks
 *   omp/ ompt/ pthread/ libc/ what stands before libgomp, libomp, pthreads and libc   (in libsis, too)
 *   mpi/       wrappers of MPI                         (in libsis-mpi, which uses only this header and unify.h)
 *
 * core.h has what only the core shares: rtlib/ itself, and the folders up to unify/.
 *
 * Rules: nothing here exits, aborts or prints from a probe; errno is kept; an allocation that fails
 * is counted in the thread and the activation goes unmeasured.
 */
#ifndef SIS_RUNTIME_H
#define SIS_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#define SIS__WEAK /* here they are */
#define SIS__WHOLE SIS__ONCE /* the runtime has its own */
#include "sis/probe.h"
#include "tables.h"

#define SIS_LIKELY(x) __builtin_expect(!!(x), 1)
#define SIS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SIS_COLD __attribute__((cold))
#define SIS_HIDDEN __attribute__((visibility("hidden")))
#define SIS_EXPORT __attribute__((visibility("default")))

#pragma GCC visibility push(default) /* libsis-mpi.so uses these of libsis.so */

/* -- Region ids ------------------------------------------------------------------------------------
 * 1 .. SIS_REGION_TYPES-1     built in: the region type of that number (RT_IBAR is region RT_IBAR)
 * SIS_MPI_ID(i)               built in: routine i of mpi.def, for calls from code sisc did not compile
 * from SIS_FIRST_UNIT_ID      regions of registered units
 */
enum {
#define SIS_MPI(routine, region, leaf, wait, match) SIS_ROUTINE_##routine,
#include "mpi.def"
#undef SIS_MPI
	SIS_MPI_ROUTINES
};
#define SIS_MPI_ID(routine) ((uint32_t)SIS_REGION_TYPES + (uint32_t)(routine))
#define SIS_FIRST_UNIT_ID SIS_MPI_ID(SIS_MPI_ROUTINES)

struct sis_region_fact { /* what the runtime must know of a region, indexed by id */
	uint16_t type;       /* enum sis_region_type */
	uint16_t routine;    /* index into mpi.def, SIS_MPI_ROUTINES: no MPI call */
	uint32_t set;        /* metric set beyond the default, 0 none */
};
enum { SIS_FACT_PAGE = 1024, SIS_FACT_PAGES = 4096 };
extern struct sis_region_fact *sis__fact_pages[SIS_FACT_PAGES]; /* NULL: none of these ids is registered */
extern const struct sis_region_fact sis__no_fact;
/* Never NULL: an id that nobody has registered gives the facts of CR_NONE. */
static inline const struct sis_region_fact *sis__region_fact(uint32_t id)
{
	const struct sis_region_fact *page = id / SIS_FACT_PAGE < SIS_FACT_PAGES ? sis__fact_pages[id / SIS_FACT_PAGE] : 0;
	return SIS_LIKELY(page != 0) ? &page[id % SIS_FACT_PAGE] : &sis__no_fact;
}

/* -- Threads --------------------------------------------------------------------------------------- */
struct sis_team; /* omp_team.c */
struct sis_stream; /* tracing.h */
struct sis_culprits; /* culprit.c */

struct sis_site { /* a call about to happen (SIS_SITE): valid while `node` is the current one */
	uint32_t id;
	uint32_t routine;      /* with SIS_ID_SPECIAL: it has metrics beyond the default */
	struct sis_node *node;
};

struct sis_overlap { /* an open activation that may go on when one around it ends (overlap.c) */
	struct sis_node *node;  /* of its part that is open now */
	struct sis_node *first; /* where it was entered and counted */
	uint64_t before;        /* ticks of the parts that ended */
	uint64_t folds;         /* of the thread, in that part */
};

struct sis_fold { /* an open activation that has no node of its own (fold.c) */
	struct sis_node *node;  /* that it was added to */
	struct sis_node *from;  /* the current node before */
	uint64_t start;         /* ticks when it began */
	uint64_t suspended;     /* nodes from `from` up to `node`, that one not included */
};

#define SIS_SITES 8
#define SIS_OVERLAPS 64
struct sis_thread { /* at the head of its slot's SIS_CHUNK_THREAD */
	struct sis_profile_thread pub; /* what readers see; pub.current first: probes know that */
	uint32_t sites;                /* of `site` in use, innermost last; the oldest give way */
	uint32_t overlaps;             /* of `overlap` in use, innermost last */
	struct sis_site site[SIS_SITES];
	struct sis_node *entered_from; /* the probes' (pair.h) */
	uint64_t phase_start;          /* ticks: end of the last collective (mpi_phase.c); 0 none yet ... */
	struct sis_node *phase_node;   /* ... and the node that was current then */
	uint64_t phase_look;           /* ticks: when `seen` of the nodes was brought up to date */
	char *record_next, *record_end;/* room that is ready in `records`; its `used` follows one record later */
	struct sis_record_pack record_pack; /* of `records` */
	struct sis_chunk *nodes, *values, *records, *user_values, *culprits; /* chunk being filled; NULL none */
	char *record_ready;            /* end of the pages of `records` that are there (record_log.c) */
	uint64_t record_before;        /* bytes of records in earlier chunks */
	uint64_t node_count;           /* in its tree */
	uint64_t *fold;                /* stack of folded activations, private; NULL: none yet */
	uint64_t folds, fold_room;     /* its words in use, and all */
	struct sis_overlap overlap[SIS_OVERLAPS];
	struct sis_index *index;       /* children by region, for nodes with many */
	struct sis_user_table *user;   /* user_values by node and name; NULL: none */
	struct sis_culprits *culprit_table; /* culprits by their places; NULL: none */
	struct sis_team *team;         /* innermost team, NULL outside */
	struct sis_stream *trace;      /* where its events go (tracing.h); NULL: this process traces nothing */
};

/* Stands in for the state of threads that are not measured, or not known yet: its current node has no children,
 * so that every probe takes the slow path. Nothing is ever written to it. */
extern struct sis_thread sis__empty;
struct sis_thread *sis__thread_slow(void);

/* This thread's state, made on first use. NULL: not measured (muted, inside, off, no memory). */
static inline struct sis_thread *sis__thread(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	if (SIS_UNLIKELY(thread == &sis__empty))
		thread = sis__thread_slow();
	return thread;
}
/* The state of a free slot for a team member or new thread; the smallest one. NULL: none to be had.
 * Lock-free once the slot has been used before. */
struct sis_thread *sis__slot_take(void);
/* Closes what is open in it and gives the slot back. */
void sis__slot_release(struct sis_thread *thread);
/* The same where the thread itself ends, which is recorded (SIS_RECORD_LIFE). */
void sis__slot_end(struct sis_thread *thread);
/* Makes `thread` this thread's state (NULL: the empty one) and returns the one before. Undoes all mutes. */
struct sis_thread *sis__become(struct sis_thread *thread);

/* -- Nodes (only the thread that fills the slot calls these, or one that knows it idle) -------------- */
/* The child of `parent` for region `id` reached from `origin` (NULL: none); made if new. NULL: no memory (counted). */
struct sis_node *sis__child(struct sis_thread *thread, struct sis_node *parent, uint32_t id, struct sis_node *origin);
/* Begins an activation of a child of the current node, at `now`; NULL as above. */
struct sis_node *sis__begin(struct sis_thread *thread, uint32_t id, uint64_t now);
/* Ends `node`'s innermost activation, and any still open inside it. Does nothing for NULL. */
void sis__end(struct sis_thread *thread, struct sis_node *node, uint64_t now);
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
bool sis__is_open(const struct sis_thread *thread, const struct sis_node *node);

/* One of the thread's open activations. Where recursion is folded a node has several of them:
 * `folds` says which. */
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
/* What is kept of a folded activation; NULL: it is the node's own. */
static inline struct sis_fold *sis__fold_of(const struct sis_thread *thread,
					    struct sis_activation at)
{
	struct sis_fold *fold = at.folds ? (struct sis_fold *)(thread->fold + at.folds) - 1 : NULL;
	return fold && fold->node == at.node ? fold : NULL;
}
/* The activation around it; that of the root has none (NULL). */
static inline struct sis_activation sis__outer(const struct sis_thread *thread,
					       struct sis_activation at)
{
	const struct sis_fold *fold = sis__fold_of(thread, at);
	if (SIS_LIKELY(!fold))
		return (struct sis_activation){ at.node->parent, at.folds };
	uint64_t words = sizeof *fold / sizeof *thread->fold + fold->suspended;
	return (struct sis_activation){ fold->from, at.folds - words };
}
/* When the innermost one began. */
static inline uint64_t sis__innermost_start(const struct sis_thread *thread)
{
	const struct sis_fold *fold = sis__fold_of(thread, sis__innermost(thread));
	return fold ? fold->start : thread->pub.current->start;
}

/* Books an activation of `ticks` of region `id` below `parent` that was timed elsewhere. */
void sis__book(struct sis_thread *thread, struct sis_node *parent, uint32_t id, uint64_t ticks);
/* The same of what lasted from `from` to `to`, which a trace has as well if `parent` is the current node. Returns the
 * activation's node, NULL if there is none. */
struct sis_node *sis__book_span(struct sis_thread *thread, struct sis_node *parent, uint32_t id, uint64_t from, uint64_t to);
/* The node's value block for metrics `set`, made on first use; NULL: no memory. A block that the region's own
 * metrics made has those of `set` first. */
struct sis_values *sis__values(struct sis_thread *thread, struct sis_node *node, uint32_t set);

/* Takes the region announced by SIS_SITE for MPI routine `routine`; SIS_MPI_ID(routine) if there is none. */
uint32_t sis__site_take(struct sis_thread *thread, uint32_t routine);

/* -- Trace: what an activation's beginning and end tell besides, before the current node changes ------------ */
/* In processes that trace (thread->trace). `now` 0: the clock is read. Returns ticks that it took, if that is worth telling. */
uint64_t sis__trace_enter(struct sis_thread *thread, uint32_t id, uint64_t now);
void sis__trace_leave(struct sis_thread *thread, uint64_t now); /* of the current node */

/* -- Records ---------------------------------------------------------------------------------------------
 * A whole one, and payload bytes behind it. NULL: log full (counted). Zeroed. Must be filled before the thread's next
 * one is asked for, but for what stands right as zero. */
struct sis_record *sis__record(struct sis_thread *thread, uint64_t payload);
/* They count from then on, or from here: for who may not come to another. */
void sis__record_commit(struct sis_thread *thread);
/* One that is complete, packed: short where the call does what it did before. */
void sis__record_put(struct sis_thread *thread, const struct sis_record *record);
/* The node of the record that is due; never NULL. */
static inline struct sis_node *sis__record_due(const struct sis_thread *thread)
{
	return (struct sis_node *)(uintptr_t)thread->record_pack.due->shape.node;
}
static inline void sis__record_was_put(struct sis_thread *thread, char *next)
{
	thread->record_next = next;
	__atomic_store_n(&thread->records->used, (uint64_t)(next - (char *)(thread->records + 1)), __ATOMIC_RELEASE);
}
/* The same, if it is the one that is due; else nothing has happened. Inline: a wrapper then has its fields in registers. */
static inline __attribute__((always_inline)) bool sis__record_put_due(struct sis_thread *thread, uint64_t enter,
								       uint64_t exit, struct sis_record_shape shape)
{
	char *next = thread->record_next;
	if (SIS_UNLIKELY((uint64_t)(thread->record_end - next) < sis_form_bytes(SIS_FORM_DUE)) ||
	    SIS_UNLIKELY(!sis_record_pack_due(&thread->record_pack, enter, exit, shape, next)))
		return false;
	sis__record_was_put(thread, next + sis_form_bytes(SIS_FORM_DUE));
	return true;
}
/* The same in two steps: what is due is looked at, and put once it is over. */
static inline struct sis_record_expected sis__record_expect(const struct sis_thread *thread, uint64_t enter)
{
	bool fits = (uint64_t)(thread->record_end - thread->record_next) >= sis_form_bytes(SIS_FORM_DUE);
	return SIS_LIKELY(fits) ? sis_record_expect(&thread->record_pack, enter, thread->record_next) :
				  (struct sis_record_expected){ .place = NULL };
}
static inline __attribute__((always_inline)) bool sis__record_put_expected(struct sis_thread *thread,
									    const struct sis_record_expected *expected,
									    uint64_t exit)
{
	char *next = thread->record_next;
	if (SIS_UNLIKELY(next != expected->out) ||
	    SIS_UNLIKELY(!sis_record_pack_expected(&thread->record_pack, expected, exit)))
		return false;
	sis__record_was_put(thread, next + sis_form_bytes(SIS_FORM_DUE));
	return true;
}

/* -- Store ------------------------------------------------------------------------------------------- */
struct sis_profile_header *sis__header(void);   /* never NULL after start; anonymous memory when there is no file */
struct sis_chunk *sis__chunk_new(enum sis_chunk_kind kind, uint32_t slot, uint64_t payload_bytes);
const char *sis__store_directory(void);          /* "" when there is no file */
void sis__text(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3))); /* a line of SIS_CHUNK_TEXT */
/* One line to stderr ("sis: warning: ...") unless SIS_LOG=quiet, and a `warning` text; each once. Not from probes. */
void sis__warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* -- Metric sets --------------------------------------------------------------------------------------- */
/* The set of the metrics named in a comma-separated list; 0 when none is to be had. Announced as text. */
uint32_t sis__set(const char *metrics);
extern uint32_t sis__set_messages; /* MSGS_S,MSGS_R,BYTES_S,BYTES_R in this order, for MPI nodes */
static inline void sis__add_message(struct sis_values *values, uint64_t sent, uint64_t received, uint64_t bytes_sent,
				    uint64_t bytes_received)
{
	values->value[0].sum += sent;
	values->value[1].sum += received;
	values->value[2].sum += bytes_sent;
	values->value[3].sum += bytes_received;
}

/* -- Process --------------------------------------------------------------------------------------------- */
void sis__start(void);                            /* idempotent; the constructor, or the first slow path before it */
void sis__process_state(enum sis_state state, int status); /* notes how the run ends; the file stays usable after */

/* Its place in MPI_COMM_WORLD, noted in the header. */
void sis__run_rank(int rank, int size);

enum sis_trace_mode { SIS_TRACE_MODE_OFF, SIS_TRACE_MODE_ON, SIS_TRACE_MODE_WAIT /* until something switches it on */ };
enum sis_trace_policy { SIS_POLICY_BLOCK, SIS_POLICY_DROP, SIS_POLICY_OVERWRITE };
struct sis_trace_config {
	enum sis_trace_mode mode;     /* SIS_TRACE */
	enum sis_trace_policy policy; /* SIS_TRACE_POLICY */
	uint64_t buffer;              /* bytes of a thread's ring: SIS_TRACE_BUFFER */
	uint64_t most_bytes;          /* of the file: SIS_TRACE_SIZE */
	bool sync;                    /* SIS_WRITER=sync */
	int writer_cpu;               /* SIS_WRITER_CPU; -1: any */
	int signal;                   /* SIS_TRACE_SIGNAL; 0: none */
	uint64_t window_from_ns, window_ns; /* SIS_TRACE_WINDOW; window_ns 0: none */
	char region[256];             /* SIS_TRACE_REGION; "": none */
	uint64_t region_first, region_last; /* activations, from 1 */
};

struct sis_config { /* SIS_* environment, read once */
	bool enabled;         /* SIS_ENABLE */
	bool quiet;           /* SIS_LOG=quiet */
	const char *output;   /* SIS_OUTPUT, NULL: default name */
	const char *metrics;  /* SIS_PMETRIC, NULL: as compiled */
	uint64_t record_bytes;/* most bytes of records per thread: SIS_RECORDS */
	uint64_t nodes;       /* most nodes per thread: SIS_NODES */
	unsigned recursion;   /* most nodes of a region on a path: SIS_RECURSION; 0: any number */
	uint64_t sensor_ns;   /* between samples of the node's load: SIS_SENSORS; 0: none are taken */
	struct sis_trace_config trace;
	enum { SIS_UNIFY_AUTO, SIS_UNIFY_NEVER, SIS_UNIFY_ALWAYS, SIS_UNIFY_KEEP } unify; /* SIS_UNIFY */
	uint64_t unify_ns;    /* most time that takes at MPI_Finalize: SIS_UNIFY_TIMEOUT */
	unsigned sampling;    /* SIS_TIMING: of so many short activations one is timed; 0: all are */
	bool multiplex;       /* SIS_MULTIPLEX: counters may take turns */
};
extern struct sis_config sis__config;

#pragma GCC visibility pop

static inline uint64_t sis__ticks(void) { return sis__now(); }

#endif
