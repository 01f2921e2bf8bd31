/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment.h - one run of a program, in memory: what the profiles of its processes say together.
 *
 *   model    -- processes -- profile (as read); of each of its nodes: global node, times
 *            |- regions     unified over the processes by key
 *            |- nodes       the dynamic region call graph of the whole run: paths of regions
 *            |- pus         processing units: (process, slot)
 *            |- summaries   global node x PU: calls, times
 *            `- values      further metrics of a summary
 *   match    -- processes   of each node of the profile: waits
 *            `- wait states single waits, with their culprits
 *   classify -- pus         useful work and leaves
 *            `- bookings    global node x PU x leaf of the overhead tree: time
 *   causes   -- delay costs waits by their culprits, and what these did
 *
 * All times are nanoseconds on the monotonic clock of the first process.
 */
#ifndef SIS_ANALYSIS_EXPERIMENT_H
#define SIS_ANALYSIS_EXPERIMENT_H

#include "base/index.h"
#include "base/map.h"
#include "model/clock.h"
#include "model/warnings.h"
#include "read/idf_read.h"
#include "read/profile_read.h"

/* A growing array that one stage fills, through `fill`. The other stages read it through `at`, so
 * they cannot change its items. A const pointer to the experiment protects only the array. */
#define STAGE_VEC(T) union { struct { const T *at; size_t n, room; }; VEC(T) fill; }

struct process {
	struct profile profile;
	struct clock clock;
	uint32_t index;      /* in model.process: by MPI rank, else by the time of the start */
	uint32_t first_pu, slots;
	bool goes_on;            /* it runs, and this is a look at it (live/snapshot.h) */
	int64_t start_ns, end_ns;
	/* for each node of the profile */
	const uint32_t *global; /* node of the experiment; NONE: unreachable */
	const uint32_t *order;  /* the reachable ones, parents before children: `ordered` of them */
	size_t ordered;
	const int64_t *incl_ns, *excl_ns;
	/* of these, in ns^2; NULL: all times are exact */
	const double *incl_variance, *excl_variance;
	/* time that was taken from the node because it was between polls below; NULL: none
	 * (poll_times.c) */
	int64_t *between_ns;
};

struct drg_node {
	uint32_t region, parent; /* NONE: the root */
	/* the node itself, or its nearest ancestor that is in the program's source */
	uint32_t source;
	/* that its exclusive time belongs to, but for waits; O_NONE: useful work (node_leaves.h) */
	enum sis_overhead leaf;
};

struct pu {
	uint32_t process, slot;  /* process: index into model.process */
	/* measured time that exceeded the time of its parent; normally 0 */
	int64_t clipped_ns;
};

struct summary {
	uint32_t node, pu;
	uint64_t calls, subs;
	int64_t incl_ns, excl_ns, min_ns, max_ns; /* min > max: no activation ended */
	bool open;               /* an activation had not ended, so times are partial */
	double incl_variance, excl_variance; /* ns^2; 0: the times are exact */
};

/* From then on the process measured calls of the region so, to keep the overhead low. */
struct turned_down { uint32_t process, region; const char *rung; int64_t ns; };

/* What was off in a part of the run, for one cause (model/switched.h). */
struct switched_off {
	uint32_t process, slot, region; /* NONE: all threads; none */
	const char *what;
	/* rule, command, or what the program did; where a rule or command is, and what it says, or
	 * empty */
	char *cause, *place, *action;
	uint64_t times;          /* that it was switched off */
	int64_t first_ns, last_ns, on_ns; /* off first, off last, on again ... */
	bool stays;              /* ... or the end of the process */
	int64_t off_ns;          /* in all */
};

struct value {
	uint32_t summary, metric;
	int64_t sum;
	bool missing; /* could not be measured: there is no sum */
	bool nested;  /* an ancestor's sum includes it */
};
struct user_value { /* values that the program gave of one thing, in a node of a PU */
	uint32_t summary, name; /* name: as value.metric */
	uint64_t count;
	double sum, min, max;
};
#define WAIT_LEAVES 6
struct waits { /* what a node's activations waited, by the leaf it belongs to */
	enum sis_overhead leaf[WAIT_LEAVES]; /* O_NONE ends the list */
	int64_t ns[WAIT_LEAVES];
};

struct call { /* a time that a thread spent in MPI */
	uint32_t slot, node; /* node of the profile; NONE */
	int64_t enter, exit; /* ns */
	bool polls;          /* many calls in one, of the same length in all */
};
typedef STAGE_VEC(struct call) calls;

/* A phase record, and the one before it that began after the thread's last collective; NONE. */
struct phase_link { uint32_t record, earlier; };

struct process_match { /* the calls and waits of a process */
	STAGE_VEC(struct waits) waits; /* by node of the profile; empty: none */
	calls calls;             /* the longer ones, by slot and time */
	STAGE_VEC(struct phase_link) phase; /* by time */
};

/* a process releases others in an operation, or acquires what they have released */
struct sync_event {
	int64_t time;            /* ns */
	uint32_t process, operation;
	bool acquires;
};
/* a thread of a process waited from `enter` until a thread of the culprit came at `until` */
struct blocked_interval { uint32_t process, slot, culprit, culprit_slot; int64_t enter, until; };
/* a process did an operation with another one, or with all of a communicator */
struct sync_point {
	uint32_t process, other; /* other: NONE, all */
	uint32_t comm, operation;
	int64_t moment;          /* ns: from when on all that it needed was there */
};
#define WAIT_STATE_PARTS 3
struct wait_state { /* a wait that was booked, and its culprit */
	/* the thread that waited; node: of its profile, NONE: after its end */
	uint32_t process, slot, node;
	uint32_t culprit, culprit_slot; /* process that came late */
	uint32_t comm;                  /* communicator of the operation */
	int64_t enter, until;
	/* the leaves that it was booked as; O_NONE ends the list */
	enum sis_overhead leaf[WAIT_STATE_PARTS];
	int64_t ns[WAIT_STATE_PARTS];
	/* ns includes waits that were not recorded (dropped_records.c) */
	bool estimated;
	bool held;                      /* the culprit held it all the time */
	/* from a trace (causes/thread_waits.c): for another thread of the process ... */
	bool among_threads;
	/* ... because of what the culprit did during the wait, not since the two met ... */
	bool direct;
	/* ... in another node than the wait state before, of which this is a part */
	bool shares;
	/* of ns, while another message, which was received later, was there already */
	int64_t wrong_order_ns;
};
/* a call whose partners were found */
struct matched_call { uint32_t process, node; int64_t enter, exit; };
struct pu_time { int64_t useful_ns, leaves_ns; }; /* of a PU: together T_p */
struct booking { uint32_t node, pu; enum sis_overhead leaf; int64_t ns; };
/* how long a PU was idle while another one, the culprit, worked at `node`; NONE: while the members
 * of the team at `node` did */
struct idle_cost { uint32_t node, pu, culprit; enum sis_overhead leaf; int64_t ns; };
/* ns of one event, over the processes; origin NULL: none */
struct cost_range { double least, most; const char *origin; };

/* waits because the culprit was longer in a region than the processes that waited (delay.c) */
struct delay_cost {
	uint32_t node;           /* where they waited */
	enum sis_overhead leaf;  /* what the waits were booked as */
	uint32_t culprit, culprit_node; /* PU, and the node it was in; NONE: not known */
	int64_t ns;              /* the waits at `node` that it caused directly */
	/* of ns: the part in which the culprit itself waited, so that others caused it */
	int64_t passed_ns;
	/* later waits of others elsewhere, caused by the waits at `node` */
	int64_t indirect_ns;
	/* of ns: for messages received out of order; where culprit_node is estimated */
	int64_t wrong_order_ns, estimated_ns;
	/* of ns: the part in which the culprit was ready to run in culprit_node, and had no
	 * processor; of how much of ns that is known, until no_processor_costs.c estimates the
	 * rest */
	int64_t no_processor_ns, examined_ns;
};

/* of a delay cost: the part of a PU that waited */
struct wait_pair {
	uint32_t cost, victim;   /* victim NONE: several, with small parts (wait_pairs.c) */
	int64_t ns;
	/* of ns: of PUs that were idle while the victim waited; 0 when wait_pairs.c has divided it
	 * among them */
	int64_t idle_ns;
};

/* of a delay cost without a node: the part of a PU that waited */
struct unlocated_cost {
	uint32_t cost, victim;
	int64_t ns, cost_ns;     /* cost_ns: with the waits of idle PUs (causes/idle_waits.h) */
	int64_t indirect_ns, wrong_order_ns;
};

/* recorded by the runtime: a PU waited at a node for another PU of its process
 * (delay_reported.c) */
struct reported_wait {
	uint32_t node, pu, culprit, culprit_node;
	int64_t ns;
	bool estimated, inside;  /* inside: in culprit_node or below it */
	bool no_processor;       /* it had none meanwhile */
};

/* name: NULL, nothing was sent on it */
struct communicator { char *name; uint32_t size; const char *kind; };
struct traffic { /* what a PU sent in one call, to one process (traffic.c) */
	uint32_t node, pu, communicator;
	uint32_t target;         /* process; NONE: a collective operation */
	uint64_t calls, bytes;
	int64_t ns, receive_ns;  /* in the call; in those that received it, waits included */
	bool estimated;          /* from the records that were kept */
};
struct traffic_call { /* a single call that sent or received some of it */
	uint32_t traffic;        /* its place in match.traffic */
	bool receives;
	int64_t enter, exit;
	uint64_t bytes;          /* 0: of a collective operation, or received */
};

struct tu { char *source, *directory, *compiler, *flags, *sisc, *checksum; };
struct source_file { char *path, *checksum; }; /* a header or included body; path: absolute */

struct unified; /* unified_read.h */

/* The parts of an experiment, by the stage that fills them. A stage gets a pointer to its part, and
 * the experiment as const, in which it reads the parts of the stages before it. */

struct experiment_run { /* import/run_directory.c: where it comes from */
	char *directory, *run_id, *program;
	/* the definitions of the file of all ranks; NULL: there is none */
	struct unified *unified;
	size_t unwritten;        /* profiles that are empty: their processes were killed early */
};

struct experiment_model { /* model/ */
	STAGE_VEC(struct process) process; /* profile: import/run_directory.c */
	STAGE_VEC(struct region) region;
	STAGE_VEC(struct drg_node) node;
	uint32_t root;           /* the node that is the root of all (RT_RUN) */
	STAGE_VEC(struct pu) pu;
	STAGE_VEC(struct turned_down) turned_down;
	STAGE_VEC(struct switched_off) switched;
	STAGE_VEC(struct summary) summary;
	STAGE_VEC(struct value) value;
	STAGE_VEC(struct user_value) user_value;
	STAGE_VEC(char *) metric; /* names that value.metric and user_value.name count */
	STAGE_VEC(struct tu) tu;
	/* beside the main one of a translation unit; each once */
	STAGE_VEC(struct source_file) file;
	/* directory that relative names of files start from; NULL: unknown */
	char *base;
	int64_t start_ns, end_ns;
	bool complete;           /* every process reached its end, and all it measured is kept */
	struct strmap region_by_identity, metric_by_name, file_by_path;
	struct map user_value_by_key; /* (summary, name) */
	struct map node_by_region;   /* (parent, region) */
	struct map region_by_text;   /* (checksum of a description, place in it) */
	struct index summary_by_key; /* (node, PU) */
};

struct experiment_match { /* match/ */
	STAGE_VEC(struct process_match) process; /* one for each of model.process */
	/* the order that operations give to the processes' times */
	STAGE_VEC(struct sync_event) sync_event;
	uint32_t operations;     /* number of operations, which sync events count */
	STAGE_VEC(struct blocked_interval) blocked; /* by process and `until` */
	STAGE_VEC(struct sync_point) sync_point;    /* by process and `moment` */
	/* by process and `until`; the wait of a process that has ended is one, too */
	STAGE_VEC(struct wait_state) wait_state;
	bool complete;           /* all operations were recorded, and matched */
	bool estimates;          /* logs were full; ... */
	/* ... then match.c keeps the calls that it could match, for dropped_records.c */
	STAGE_VEC(struct matched_call) matched_call;
	STAGE_VEC(struct communicator) communicator; /* by its number in the run; 0: the world */
	STAGE_VEC(struct traffic) traffic;
	struct map traffic_by_key; /* (node x PU, communicator x target) */
	/* set before the match: single calls are listed, too, as far as there are records */
	bool keeps_traffic_calls;
	STAGE_VEC(struct traffic_call) traffic_call;
};

struct experiment_classify { /* classify/ */
	STAGE_VEC(struct pu_time) pu; /* one for each of model.pu */
	STAGE_VEC(int64_t) useful_ns; /* of each of model.summary */
	STAGE_VEC(struct booking) booking;
	struct index booking_by_key; /* (node, PU x leaf) */
	/* of booking: PUs that wait because the initial thread of their process does (idle.c) */
	STAGE_VEC(struct booking) idle_wait;
	/* of booking: PUs that were idle while another one worked (idle.c) */
	STAGE_VEC(struct idle_cost) idle_cost;
	struct map idle_cost_by_key; /* (node x leaf, PU and culprit) */
	struct cost_range cost[SIS_COSTS]; /* counted_costs.c: of the leaves that were counted */
};

struct experiment_causes { /* causes/ */
	VEC(struct delay_cost) delay_cost;
	struct map delay_cost_by_key; /* (node x leaf, culprit x its node) */
	/* of all delay costs with a node; their sum is `ns` of the cost */
	VEC(struct wait_pair) wait_pair;
	struct map wait_pair_by_key; /* (cost, victim) */
	/* until delay_unlocated.c has distributed them: all parts of costs without a node */
	VEC(struct unlocated_cost) unlocated;
	struct map unlocated_by_key; /* (cost, victim) */
	/* delay_reported.c: by node and PU; those at barriers of teams */
	VEC(struct reported_wait) reported_wait, reported_at_barrier;
	/* if the costs within an interval are asked for (cost_pieces.h); else NULL */
	struct cost_pieces *interval;
	/* wall time on an ideal network (ideal_network.c); -1: not known */
	int64_t ideal_ns;
	VEC(struct booking) critical; /* time on the critical path, of no leaf (critical_path.c) */
	int64_t critical_estimated_ns; /* of it, where its place is an estimate */
	/* law.c: the largest charge beyond what the culprit did; waits without a cause */
	int64_t error_ns, not_recorded_ns;
	/* until it has checked them: all charges */
	struct map charged_by_key; /* (victim and culprit, culprit's node) */
	VEC(int64_t) charged_ns;
};

struct experiment {
	struct experiment_run run;
	struct experiment_model model;
	struct experiment_match match;
	struct experiment_classify classify;
	struct experiment_causes causes;
	warning_list warning; /* of all stages */
};

void model_release(struct experiment_model *m);
static inline const struct region *model_region(const struct experiment_model *m, uint32_t node)
{
	return &m->region.at[m->node.at[node].region];
}

static inline const struct region *region_of_node(const struct experiment *x, uint32_t node)
{
	return model_region(&x->model, node);
}

/* The number of the summary of a node and a PU; INDEX_NONE if there is none. */
uint32_t model_summary(const struct experiment_model *m, uint32_t node, uint32_t pu);
/* The same, and makes it if there is none. */
uint32_t model_add_summary(struct experiment_model *m, uint32_t node, uint32_t pu);

static inline uint32_t experiment_summary(const struct experiment *x, uint32_t node, uint32_t pu)
{
	return model_summary(&x->model, node, pu);
}

/* What a node of the process's profile waited; NULL: nothing. */
static inline const struct waits *waits_of_node(const struct experiment *x, const struct process *p,
						uint32_t node)
{
	const struct process_match *m = &x->match.process.at[p->index];
	return m->waits.n ? &m->waits.at[node] : NULL;
}

static inline int64_t experiment_t_p(const struct experiment *x) 
{
	return x->model.end_ns - x->model.start_ns;
}

#endif
