/* core.h - what the core's files share among themselves; runtime.h is what the rest of the runtime sees.
 *
 * How a thread finds its state: `sis__self` is what probes follow. It is the thread's own state, or the
 * empty one whenever a probe has to ask first: the thread is new, muted, inside the runtime, or an
 * activation had to be skipped; in a process that traces, always (sis__local.traced). sis__refresh derives it from
 * sis__local; nobody else sets it.
 */
#ifndef SIS_CORE_H
#define SIS_CORE_H

#include "base/runtime.h"

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#pragma GCC visibility push(hidden)

/* -- This thread (thread.c) --------------------------------------------------------------------------- */
struct sis_local {
	struct sis_thread *own; /* the state it fills; NULL: none yet */
	uint32_t muted;         /* offs of sis_measure not yet undone */
	uint32_t paused;        /* of these, what the program said by hand */
	uint32_t skipped;       /* activations begun and not ended since probes were to do nothing */
	uint32_t skipped_before;/* skipped when it was muted */
	uint32_t inside;        /* > 0: in the runtime; what a signal handler enters meanwhile is skipped */
	uint32_t tid;           /* 0: not asked yet */
	uint32_t exits;         /* how often the thread's destructor has run */
	bool refused;           /* no slot was to be had: do not ask again */
	struct sis_thread *traced; /* `own` while its probes are to measure and trace: they come by the slow path */
};
extern __thread struct sis_local sis__local __attribute__((tls_model("initial-exec")));
extern struct sis_node sis__no_node; /* stands for "none" where a probe follows a pointer without asking */

extern long sis__near_distance; /* of the program's copy of sis__self from a thread's pointer; 0: it has none */

/* Makes this thread's probes find `thread`. The program's copy follows: it says nothing where sis__self says another. */
static inline void sis__point(struct sis_thread *thread)
{
	struct sis__thread **near =
		sis__near_distance ? (struct sis__thread **)((char *)__builtin_thread_pointer() + sis__near_distance) : &sis__self;
	*near = (struct sis__thread *)&sis__empty;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	sis__self = (struct sis__thread *)thread;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*near = (struct sis__thread *)thread;
}

void sis__refresh(void);
static inline void sis__guard(void)
{
	sis__local.inside++;
	sis__local.traced = NULL;
	sis__point(&sis__empty);
}
static inline void sis__unguard(void)
{
	sis__local.inside--;
	sis__refresh();
}
void sis__thread_exit_init(void);
void sis__thread_exit_arm(struct sis_thread *thread); /* the calling thread gives this slot back at its end */

/* -- Slots (slot.c) -------------------------------------------------------------------------------------- */
void sis__slots_init(void);                  /* slot 0 with its root open since the start of the process */
void sis__slots_commit(void);                /* the last records of all slots */
void sis__slots_keep(struct sis_thread *kept); /* in a forked child: only `kept` lives, as slot 0 */
struct sis_thread *sis__slot(uint32_t slot);  /* NULL: never used */
bool sis__slot_is_taken(uint32_t slot);
uint32_t sis__slot_claim(void);              /* the smallest free slot; SIS_NO_SLOT: none */
void sis__slot_free(uint32_t slot);
void sis__slot_set(uint32_t slot, struct sis_thread *thread); /* its state, which is complete */
void sis__slot_reserve_first(void);          /* slot 0 is the initial thread's */
void sis__slot_table_keep(struct sis_thread *kept); /* in a forked child: `kept` is slot 0, the rest is free */
#define SIS_SLOTS 4096u

/* -- Locks: short sections, never from the fast path. False: not had within a second, its holder must be gone. */
struct sis_lock {
	int taken;        /* by a thread of this process; 0: free */
	int cancel;       /* the holder's cancellation state, and its signal mask: nothing may interrupt it */
	sigset_t signals;
};
/* sis__guard for what takes longer than a handler of a signal should miss: the handler waits, and is measured afterwards.
 * `before` is this thread's until the other one. */
void sis__guard_alone(sigset_t *before);
void sis__unguard_alone(const sigset_t *before);
bool sis__lock(struct sis_lock *lock);
void sis__unlock(struct sis_lock *lock);

/* -- Files (files.c): what is not what it should be is -errno --------------------------------------------- */
enum sis_file { SIS_FILE_PROFILE, SIS_FILE_TRACE, SIS_FILE_RING, SIS_FILES }; /* that a process writes to */
int sis__file_create(enum sis_file which, const char *path); /* a new one: descriptor, for sis__file_close */
int sis__file_open(enum sis_file which);                     /* it again */
void sis__file_close(int fd);
const char *sis__file_path(enum sis_file which); /* "": there is none */
void sis__file_remove(enum sis_file which);      /* from its directory */
void sis__file_forget(enum sis_file which);
void sis__files_keep(void);                      /* soon they may not be opened again by their paths */
int sis__file_make(const char *path);            /* any new one, open for writing */
int sis__file_make_directory(const char *path);
void sis__file_own(int fd, mode_t rights);       /* its owner has at least these */

/* -- Store (store.c) and its place (directory.c) ------------------------------------------------------- */
struct sis_store {
	char *base;        /* where the file is mapped, and the whole range reserved; the header is there */
	uint64_t reserved; /* bytes of addresses */
	uint64_t capacity; /* of them, bytes that can be written to */
	uint64_t ready;    /* of them, bytes from the beginning that have had their pages made */
	struct sis_lock lock; /* guards growth, and header->size */
};
extern struct sis_store sis__store;
extern bool sis__store_live;    /* the file is there, and this process's own; only through these two */
static inline bool sis__store_is_live(void) { return __atomic_load_n(&sis__store_live, __ATOMIC_RELAXED); }
static inline void sis__store_set_live(bool live) { __atomic_store_n(&sis__store_live, live, __ATOMIC_RELAXED); }
extern int sis__store_full;     /* why it could not grow (errno), 0: it could; told at the end */
void sis__store_reserve(void);  /* address range and a header in anonymous memory */
void sis__store_confine(rlim_t limit); /* less of that range: the program has limited its addresses to so many bytes */
int sis__store_move_into_file(int fd); /* what is there so far becomes the beginning of the file; 0 or errno */
bool sis__store_open(void);     /* the file, on first use; false: there is none, nothing is measured */
/* Makes the file have pages at this address, which holds nothing yet; if that fails the first store does it. */
void sis__store_make_pages(char *from, uint64_t bytes);
#define SIS_CHUNK_READY (16u << 10) /* pages that a longer chunk has from its beginning */
extern bool sis__store_tried;   /* to open it, in this process */
extern bool sis__store_frozen;  /* what is written from now on does not reach the file */
bool sis__store_detach(void);   /* makes it so */
bool sis__store_allows(uint64_t bytes); /* a file may be that long: past RLIMIT_FSIZE there is a signal, not an error */
bool sis__store_finish(const struct sis_time_mark *end); /* last word: closes what is open, checksums, ENDED */
struct sis_chunk *sis__chunk_next(char *base, struct sis_chunk *chunk); /* NULL: the last; of NULL, the first */
static inline void *sis__payload(struct sis_chunk *chunk) { return chunk + 1; }

int sis__directory_create_file(int rank);   /* claims the directory, makes the process's file in it: descriptor or -errno */
void sis__directory_new_process(void);  /* in a forked child: the next file is its own, the directory its parent's */
const char *sis__directory_wanted(void);/* what could not be made, for messages */
void sis__directory_remove_file(void);    /* of a run that cannot be kept */

/* -- The run (run.c): known once the header is complete ------------------------------------------------------------- */
void sis__run_identify(struct sis_profile_header *header); /* its run_id */
bool sis__run_is_shared(void);              /* a launcher started it: other processes belong to it, too */
int sis__run_place(long *size);             /* the rank that the launcher gave this process, -1 none; size: 0 not told */
int sis__run_pid(void);                     /* the launcher's on this node, else this process's ... */
time_t sis__run_began(void);                /* ... and when it began */
bool sis__run_directory(char *path, size_t size); /* where names of experiments begin; false: nowhere */
size_t sis__read_file(const char *path, char *text, size_t size); /* a small one, NUL-ended; its length */

/* -- Fork (fork.c) ---------------------------------------------------------------------------------------- */
void sis__fork_init(void);
void sis__fork_prepare(void); /* before a fork, in the thread that forks ... */
void sis__fork_parent(void);  /* ... and after it, on both sides */
void sis__fork_child(void);
bool sis__fork_is_handled(void); /* somebody calls these already */

/* -- Nodes (drg.c) --------------------------------------------------------------------------------------- */
extern bool sis__nodes_full;    /* a thread's tree has as many nodes as it may have: told at the end */
struct sis_node *sis__root_new(struct sis_thread *thread);
/* Room for `bytes` in the chunk being filled, which the caller then counts as used; of a new one of `size` if need be. */
void *sis__from_chunk(struct sis_thread *thread, struct sis_chunk **filling, enum sis_chunk_kind kind, uint64_t bytes,
		      uint64_t size);
void sis__close_root(struct sis_thread *thread, uint64_t now);
void sis__close_path(struct sis_thread *thread, uint64_t now); /* everything open below the root */
/* Closes what is inside it; false: it is not open. */
bool sis__close_to(struct sis_thread *thread, struct sis_activation to, uint64_t now);
void sis__leave_path(struct sis_thread *thread, uint32_t id, uint64_t now); /* unwinds to region `id`, if it is open */
void sis__unwind(struct sis_thread *thread, uint64_t now); /* closes the current node, which nobody left */
/* The innermost open one of a region. */
struct sis_activation sis__open_one(const struct sis_thread *thread, uint32_t id);
void sis__close_current(struct sis_thread *thread, uint64_t now);
/* Ends the part of the innermost activation that is open: its extremes are not changed. Returns
 * its ticks. */
uint64_t sis__shut(struct sis_thread *thread, uint64_t now);
/* The node of an activation that begins in the current node: a child, made if new, or with *folds
 * one that is open. NULL: no memory (counted). */
struct sis_node *sis__node_to_enter(struct sis_thread *thread, uint32_t id, struct sis_node *origin,
				    bool *folds);
/* Begins it; its calls, metrics and events are the caller's. */
void sis__enter_node(struct sis_thread *thread, struct sis_node *node, bool folds, uint64_t now);
void sis__mismatch(struct sis_thread *thread, uint32_t id); /* a leave of a region that is not open */
/* Due in threads that have no records, or no memory for their places: nothing is like it, so that all are whole. Never
 * written to. */
extern struct sis_record_place sis__no_place;
#define SIS_NO_PACK { .last = &sis__no_place, .due = &sis__no_place }

/* -- Folded recursion (fold.c) --------------------------------------------------------------- */
/* The node that an activation entered now is added to; NULL: it gets a node of its own. */
struct sis_node *sis__fold_target(struct sis_thread *thread, uint32_t id);
/* Room to begin it; false: no memory. */
bool sis__fold_reserve(struct sis_thread *thread, const struct sis_node *target);
void sis__fold_begin(struct sis_thread *thread, struct sis_node *target, uint64_t now);
/* Ends the innermost activation, which is folded. Returns its ticks. */
uint64_t sis__fold_end(struct sis_thread *thread, uint64_t now);
/* In a forked child. */
void sis__fold_restart(struct sis_thread *thread, struct sis_activation at, uint64_t now);
void sis__fold_release(struct sis_thread *thread); /* much memory, when nothing is open */

/* -- Overlaps (overlap.c) ---------------------------------------------------------------------------------- */
struct sis_overlap *sis__overlap_find(struct sis_thread *thread, struct sis_activation at); /* NULL: it is none */
void sis__overlap_add(struct sis_thread *thread, struct sis_overlap overlap); /* if there is room */
void sis__overlap_drop(struct sis_thread *thread, struct sis_overlap *overlap);
/* `ticks`: of its last part. */
void sis__overlap_finish(struct sis_thread *thread, struct sis_activation ended, uint64_t ticks);

/* -- Balance (balance.c) ------------------------------------------------------------------------------------- */
enum sis_imbalance { SIS_LEFT_CLOSED, SIS_NOT_LEFT };
#ifdef SIS_DEBUG
void sis__imbalance(uint32_t id, enum sis_imbalance what); /* kept for the end of the run */
void sis__imbalances_tell(void);
#else
static inline void sis__imbalance(uint32_t id, enum sis_imbalance what) { (void)id, (void)what; }
static inline void sis__imbalances_tell(void) { }
#endif

/* -- Leaving (probe.c) --------------------------------------------------------------------------------------- */
bool sis__region_is_registered(const struct sis_region *region);
uint32_t sis__region_id(const struct sis_region *region); /* of a registered one */
/* The thread in whose tree a leave is to be looked for; NULL: it only ends something skipped. */
struct sis_thread *sis__thread_to_leave(void);
struct sis_thread *sis__thread_to_leave_region(const struct sis_region *region); /* NULL also if not registered */

/* -- Units (region_registry.c) ---------------------------------------------------------------------------------------- */
void sis__units_init(void);
void sis__unit_register(struct sis_unit *unit); /* by who has the guard */
void sis__unit_add(struct sis_unit *unit);      /* the same, once the file is there */
void sis__unit_switch_off(struct sis_unit *unit);
void sis__units_note(void);                 /* the names of built-in regions, as text */

/* -- Counters (counter.c) ------------------------------------------------------------------------------------ */
void sis__counters_begin(struct sis_thread *thread, struct sis_node *node, uint32_t set);
void sis__counters_end(struct sis_node *node);
uint32_t sis__set_count(uint32_t set);
/* A block for metrics `set` of a node that is reached from `origin` (NULL: none). NULL: no memory, or nothing to keep. */
struct sis_values *sis__values_new(struct sis_thread *thread, uint32_t set, struct sis_node *origin);
SIS_EXPORT uint64_t sis__set_price_ns(uint32_t set); /* of reading it once; 0: there is nothing to read */
SIS_EXPORT bool sis__metric_offered(const char *metric, const char **why); /* for counters_main.c, as sis__papi is */
SIS_EXPORT const struct sis_papi *sis__papi(const char **why); /* NULL: not to be had, and *why says why */
uint32_t sis__set_with_messages(const char *metrics); /* of an MPI call: its message metrics first */

/* -- Waiting for a word to change (futex.c) -- */
/* Waits until `*word` is no longer `seen`, or some time has passed. */
void sis__futex_wait(const uint32_t *word, uint32_t seen, uint64_t ns);
void sis__futex_wake(const uint32_t *word);

/* -- Clock (clock.c) -------------------------------------------------------------------------------------------- */
void sis__clock_init(void);
void sis__clock_sample_one_in(unsigned n); /* SIS_TIMING from now on; 0: all activations are timed */
void sis__clock_tell(unsigned *timing); /* the program has a copy of it */
void sis__clock_mark(struct sis_time_mark *mark);
uint64_t sis__clock_rate(const struct sis_time_mark *from, const struct sis_time_mark *to); /* ticks per second */
void sis__clock_calibrate(struct sis_profile_header *header); /* its rate, and the probes' own cost */

/* -- Threads of the runtime (own_thread.c) ----------------------------------------------------- */
/* Detached, with all signals blocked, on `processors` (NULL: on any); 0 or an error number. */
int sis__own_thread_start(void *(*run)(void *), const cpu_set_t *processors);
void sis__own_thread_begin(const char *name); /* what `run` calls first; 15 characters at most */
typedef int sis__pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
sis__pthread_create *sis__libc_pthread_create(void); /* libc's own (modules.c); NULL: not found */

/* -- Sensors (sensor.c) ------------------------------------------------------------------------------------------- */
void sis__sensors_start(void);       /* once there is a file */
void sis__sensors_end(void);         /* the last sample */
void sis__sensors_stop(void);        /* no more but that */
void sis__sensors_new_process(void); /* in a forked child, which samples nothing */

/* -- Text (text.c) ------------------------------------------------------------------------------------------- */
void sis__text_once(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* -- Process (process.c, header.c, settings.c) ----------------------------------------------------------------------- */
extern bool sis__started;
void sis__config_read(void);
void sis__config_note(void);     /* the settings in force, as text */
void sis__header_fill(struct sis_profile_header *header);     /* at the start of the process */
void sis__header_complete(struct sis_profile_header *header); /* once it is to be measured */
const char *sis__processor_text(void); /* how /proc/cpuinfo begins */
void sis__machine_note(void);    /* basic facts of the machine, as text */
void sis__machine_topology(const struct sis_time_mark *end); /* and what hwloc knows, once a node, of a run that ended so */
void sis__machine_fact(const char *key, const char *value);
void *sis__module(const char *name, const char *symbol); /* a symbol of lib/sis/NAME; NULL: not to be had */
bool sis__has_symbol(const char *symbol); /* the program, or a library that it has */
extern const char *const sis__no_papi; /* why there may be no PAPI */
bool sis__in_this_process(void); /* false in a vfork child, which borrows our memory */
void sis__process_end(void);     /* the last word of the file; once, by whoever comes first */

/* -- Ending (exit_race.c): several threads may, at once ------------------------------------------------------------------ */
bool sis__ending_begin(void);       /* false: another thread has begun; sis__ending_wait, then */
void sis__ending_done(void);
bool sis__ending_is_over(void);
void sis__ending_wait(void);        /* until it is, if another thread has begun */
bool sis__ending_is_mine(void);     /* this thread has begun */
void sis__ending_new_process(void); /* in a forked child */
void sis__ending_last(int status, void *unused); /* a handler for on_exit: nothing is left to be done */

#pragma GCC visibility pop
#endif
