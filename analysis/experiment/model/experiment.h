/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment.h - one run of a program, in memory: what the profiles of its processes say together.
 *
 *   model    -- processes -- profile (as read); for each of its nodes: global node, times
 *            |- regions     unified over the processes by key
 *            |- nodes       the dynamic region call graph of the whole run: paths of regions
 *            |- pus         processing units: (process, slot)
 *            |- summaries   global node x PU: calls, times
 *            `- values      further metrics of a summary
 *   match    -- processes   for each node of the profile: waits
 *            `- wait states single waits, with their culprits
 *   classify -- pus         useful work and leaves
 *            `- bookings    global node x PU x leaf of the overhead tree: time
 *   causes   -- delay costs waits by culprit, and by the node in which the culprit was
 *
 * All times are nanoseconds on the monotonic clock of the first process.
 */
#ifndef SIS_ANALYSIS_EXPERIMENT_H
#define SIS_ANALYSIS_EXPERIMENT_H

#include "base/index.h"
#include "base/map.h"
#include "experiment/model/clock.h"
#include "experiment/model/warnings.h"
#include "experiment/read/idf_read.h"
#include "experiment/read/profile_read.h"
#include "experiment/code/run_modules.h"
#include "experiment/sampled/sampled.h"

/* A growing array that one stage fills, through `fill`. The other stages read it through `at`,
 * whose items are const. A const pointer to the experiment alone would not protect the items. */
#define STAGE_VEC(T) union { struct { const T *at; size_t n, room; }; VEC(T) fill; }

struct process {
	struct profile profile;
	struct clock clock;
	uint32_t index;      /* in model.process, in the order of MPI ranks, then of start times */
	uint32_t first_pu, slots;
	bool goes_on;            /* the process still runs: this is a look (live/look/snapshot.h) */
	int64_t start_ns, end_ns;
	/* the arrays below are by node of the profile, but for `order` */
	const uint32_t *global; /* node of the experiment; NONE: unreachable */
	const uint32_t *order;  /* the `ordered` reachable nodes, parents before children */
	size_t ordered;
	const int64_t *incl_ns, *excl_ns;
	/* variances of these times, in ns^2; NULL if all times are exact */
	const double *incl_variance, *excl_variance;
	/* time between polls that was moved from the node to the polls below it (poll_times.c);
	 * NULL: none was moved */
	int64_t *between_ns;
};

struct drg_node {
	uint32_t region, parent; /* NONE: the root */
	/* the node itself, or its nearest ancestor that is in the program's source; of a routine
	 * that a sampled function calls, the node itself */
	uint32_t source;
	/* the leaf of its exclusive time without waits; O_NONE: useful work (node_leaves.h) */
	enum sis_overhead leaf;
};

struct pu {
	uint32_t process, slot;  /* process: index into model.process */
	/* sum of the measured times by which nodes exceed their parents; normally 0 */
	int64_t clipped_ns;
};

struct summary {
	uint32_t node, pu;
	uint64_t calls, subs;
	int64_t incl_ns, excl_ns, min_ns, max_ns; /* min > max: no activation ended */
	bool open;               /* an activation had not ended, so times are partial */
	double incl_variance, excl_variance; /* ns^2; 0: the times are exact */
};

/* From `ns` on, the process measured activations of the region at this rung, to keep the overhead
 * low. */
struct turned_down { uint32_t process, region; const char *rung; int64_t ns; };

/* What was off in a part of the run, for one cause (experiment/model/switched.h). */
struct switched_off {
	uint32_t process, slot, region; /* slot NONE: all threads; region NONE: no region */
	const char *what;
	/* cause: a rule, a command, or what the program did. place and action: where the rule or
	 * command is, and what it says; else empty. */
	char *cause, *place, *action;
	uint64_t times;          /* number of times that it was switched off */
	/* the first and the last time it was switched off, and the time it was switched on again */
	int64_t first_ns, last_ns, on_ns;
	bool stays;              /* it was not switched on again: on_ns is the end of the process */
	int64_t off_ns;          /* the sum of the times in which it was off */
};

struct value {
	uint32_t summary, metric;
	int64_t sum;
	bool missing; /* the metric could not be measured, so there is no sum */
	bool nested;  /* an ancestor's sum includes it */
};
struct user_value { /* the values of one name that the program recorded, in a node of a PU */
	uint32_t summary, name; /* name: as value.metric */
	uint64_t count;
	double sum, min, max;
};
#define WAIT_LEAVES 6
struct waits { /* how long a node's activations waited, by leaf */
	enum sis_overhead leaf[WAIT_LEAVES]; /* O_NONE ends the list */
	int64_t ns[WAIT_LEAVES];
};

struct call { /* a time that a thread spent in MPI */
	uint32_t slot, node; /* node of the profile; NONE: not known */
	int64_t enter, exit; /* ns */
	bool polls;          /* stands for many polls, and has the sum of their lengths */
};
typedef STAGE_VEC(struct call) calls;

/* A phase record. earlier: index of the thread's phase before it; NONE: there is none since the
 * thread's last collective operation. */
struct phase_link { uint32_t record, earlier; };

struct process_match { /* the calls and waits of a process */
	STAGE_VEC(struct waits) waits; /* by node of the profile; empty: none */
	calls calls;             /* the longer calls, sorted by slot and time */
	STAGE_VEC(struct phase_link) phase; /* in the order of the records */
};

/* A process contributes to an operation or, if `acquires`, receives what others contributed. */
struct sync_event {
	int64_t time;            /* ns */
	uint32_t process, operation;
	bool acquires;
};
/* A thread of a process waited from `enter` until a thread of the culprit came at `until`. */
struct blocked_interval { uint32_t process, slot, culprit, culprit_slot; int64_t enter, until; };
/* A process took part in an operation with another one, or with all of a communicator. */
struct sync_point {
	uint32_t process, other; /* other NONE: all */
	uint32_t comm, operation;
	int64_t moment;          /* ns: from this time on, the process had what it needed */
};
#define WAIT_STATE_PARTS 3
struct wait_state { /* a wait that was booked, and its culprit */
	/* the thread that waited; node: of its profile; NONE: the process had ended */
	uint32_t process, slot, node;
	uint32_t culprit, culprit_slot; /* the process and slot that came late */
	uint32_t comm;                  /* communicator of the operation */
	int64_t enter, until;
	/* the leaves as which the wait was booked, and their times; O_NONE ends the list */
	enum sis_overhead leaf[WAIT_STATE_PARTS];
	int64_t ns[WAIT_STATE_PARTS];
	/* ns includes waits that were not recorded (dropped_records.c) */
	bool estimated;
	bool held;                      /* the culprit held the lock during the whole wait */
	/* found in a trace: the culprit is another thread of the process (thread_waits.c) */
	bool among_threads;
	/* if among_threads: what the culprit did during the wait caused it, not what it did
	 * before */
	bool direct;
	/* if among_threads: a part of the same wait as the wait state before, in another node */
	bool shares;
	/* part of ns: a message that was received later had already been sent */
	int64_t wrong_order_ns;
};
/* A call for which all partners in its operation were found. */
struct matched_call { uint32_t process, node; int64_t enter, exit; };
struct pu_time { int64_t useful_ns, leaves_ns; }; /* of a PU; their sum is T_p */
struct booking { uint32_t node, pu; enum sis_overhead leaf; int64_t ns; };
/* How long a PU was idle while another PU, the culprit, worked at `node`. culprit NONE: the members
 * of the team at `node` worked. */
struct idle_cost { uint32_t node, pu, culprit; enum sis_overhead leaf; int64_t ns; };
/* The smallest and the largest cost of one event, in ns, that the processes have. origin: where the
 * cost comes from; NULL: nothing was counted. */
struct cost_range { double least, most; const char *origin; };

/* Waits that arose because the culprit spent more time in a node than its victims (delay.c). */
struct delay_cost {
	uint32_t node;           /* where the victims waited */
	enum sis_overhead leaf;  /* the leaf as which the waits were booked */
	uint32_t culprit, culprit_node; /* PU, and the node it was in; NONE: not known */
	int64_t ns;              /* the waits at `node` that the delay caused directly */
	/* part of ns: the culprit itself waited meanwhile, so others caused the delay */
	int64_t passed_ns;
	/* later waits of other PUs, which the waits at `node` caused */
	int64_t indirect_ns;
	/* parts of ns: waits for messages received out of order; culprit_node is estimated */
	int64_t wrong_order_ns, estimated_ns;
	/* no_processor_ns: the part of ns in which the culprit was ready to run in culprit_node and
	 * had no processor. examined_ns: the part of ns for which this is known. lacks.c estimates
	 * the rest. */
	int64_t no_processor_ns, examined_ns;
};

/* The part of a delay cost that belongs to one victim, a PU. */
struct wait_pair {
	uint32_t cost, victim;   /* victim NONE: several, with small parts (wait_pairs.c) */
	int64_t ns;
	/* part of ns: time of PUs that were idle while the victim waited; 0 after wait_pairs.c has
	 * divided it among them */
	int64_t idle_ns;
};

/* The part of a delay cost without a culprit_node that belongs to one victim, a PU. */
struct unlocated_cost {
	uint32_t cost, victim;
	int64_t ns, cost_ns;     /* cost_ns: with the waits of idle PUs (causes/idle_waits.h) */
	int64_t indirect_ns, wrong_order_ns;
};

/* Recorded by the runtime: a PU waited at a node for another PU of its process
 * (delay_reported.c). */
struct reported_wait {
	uint32_t node, pu, culprit, culprit_node;
	int64_t ns;
	bool estimated, inside;  /* inside: the culprit was in culprit_node or below it */
	bool no_processor;       /* the culprit had no processor meanwhile */
};

/* name: NULL if nothing was sent on the communicator */
struct communicator { char *name; uint32_t size; const char *kind; };
struct traffic { /* what a PU sent in one call, to one process (traffic.c) */
	uint32_t node, pu, communicator;
	uint32_t target;         /* process; NONE: a collective operation */
	uint64_t calls, bytes;
	int64_t ns, receive_ns;  /* time in sending and in receiving calls, waits included */
	bool estimated;          /* scaled up from the records that were kept */
};
struct traffic_call { /* a single call that sent or received data of a row of match.traffic */
	uint32_t traffic;        /* index of the row */
	bool receives;
	int64_t enter, exit;
	uint64_t bytes;          /* 0 if the call receives, or is a collective operation */
};

struct tu { char *source, *directory, *compiler, *flags, *sisc, *checksum; };
struct source_file { char *path, *checksum; }; /* a header or included body; path: absolute */

/* The parts of an experiment, by the stage that fills them. A stage gets a pointer to its own part,
 * and the experiment as const, to read the parts of earlier stages. */

struct experiment_run { /* repository/import/run_directory.c: where the experiment comes from */
	char *directory, *run_id, *program;
	char *command;           /* of `sis-analyze run`; NULL: that of the first process */
	size_t unwritten;        /* profiles that are empty: their processes were killed early */
	size_t damaged;          /* profiles in files of hosts that are damaged, and left out */
	VEC(struct stacks) samples; /* files of samples (SIS_BLAME) */
	struct run_modules modules; /* of the samples, whose numbers of processes are theirs */
	struct sampled sampled;  /* experiment/sampled/: the functions that the samples show */
};

struct experiment_model { /* experiment/model/ */
	STAGE_VEC(struct process) process; /* profile: repository/import/run_directory.c */
	STAGE_VEC(struct region) region;
	STAGE_VEC(uint32_t) sampled; /* the region of each of run.sampled.function */
	STAGE_VEC(uint32_t) called;  /* the region of each of run.sampled.call */
	STAGE_VEC(struct drg_node) node;
	uint32_t root;           /* the root of all nodes (RT_RUN) */
	STAGE_VEC(struct pu) pu;
	STAGE_VEC(struct turned_down) turned_down;
	STAGE_VEC(struct switched_off) switched;
	STAGE_VEC(struct summary) summary;
	STAGE_VEC(struct value) value;
	STAGE_VEC(struct user_value) user_value;
	STAGE_VEC(char *) metric; /* names; value.metric and user_value.name are indices */
	STAGE_VEC(struct tu) tu;
	/* the files that have regions, without main files of translation units; each once */
	STAGE_VEC(struct source_file) file;
	/* directory to which names of files are relative; NULL: unknown */
	char *base;
	int64_t start_ns, end_ns;
	bool complete;           /* all processes reached their end; all measurements are kept */
	struct strmap region_by_identity, metric_by_name, file_by_path;
	struct map user_value_by_key; /* (summary, name) */
	struct map node_by_region;   /* (parent, region) */
	struct map region_by_text;   /* (checksum of a description, the region's index in it) */
	struct index summary_by_key; /* (node, PU) */
};

struct experiment_match { /* experiment/match/ */
	STAGE_VEC(struct process_match) process; /* one for each of model.process */
	STAGE_VEC(struct sync_event) sync_event;
	uint32_t operations;     /* number of operations of sync events and sync points */
	STAGE_VEC(struct blocked_interval) blocked; /* sorted by process and `until` */
	STAGE_VEC(struct sync_point) sync_point;    /* sorted by process, `moment` */
	/* by process and `until`; also the waits of processes after their end */
	STAGE_VEC(struct wait_state) wait_state;
	bool complete;           /* all operations were recorded and matched */
	bool estimates;          /* logs were full, so waits are estimated */
	/* if `estimates`: the calls that could be matched, for dropped_records.c */
	STAGE_VEC(struct matched_call) matched_call;
	STAGE_VEC(struct communicator) communicator; /* by its number in the run; 0: the world */
	STAGE_VEC(struct traffic) traffic;
	struct map traffic_by_key; /* (node x PU, communicator x target) */
	/* set by the caller before the match: whether to fill traffic_call from the records */
	bool keeps_traffic_calls;
	STAGE_VEC(struct traffic_call) traffic_call;
};

struct experiment_classify { /* experiment/classify/ */
	STAGE_VEC(struct pu_time) pu; /* one for each of model.pu */
	STAGE_VEC(int64_t) useful_ns; /* one for each of model.summary */
	STAGE_VEC(struct booking) booking;
	struct index booking_by_key; /* (node, PU x leaf) */
	/* part of `booking`: PUs that were idle because the initial thread waited (idle.c) */
	STAGE_VEC(struct booking) idle_wait;
	/* part of `booking`: PUs that were idle while another one worked (idle.c) */
	STAGE_VEC(struct idle_cost) idle_cost;
	struct map idle_cost_by_key; /* (node x leaf, PU and culprit) */
	struct cost_range cost[SIS_COSTS]; /* costs of one event of each counted leaf */
};

struct experiment_causes { /* experiment/causes/ */
	VEC(struct delay_cost) delay_cost;
	struct map delay_cost_by_key; /* (node x leaf, culprit x its node) */
	/* parts of all delay costs with a culprit_node. The parts of a cost add up to its `ns` */
	VEC(struct wait_pair) wait_pair;
	struct map wait_pair_by_key; /* (cost, victim) */
	/* parts of all costs without a culprit_node, until delay_unlocated.c distributes these */
	VEC(struct unlocated_cost) unlocated;
	struct map unlocated_by_key; /* (cost, victim) */
	/* by node and PU (delay_reported.c). reported_at_barrier: the waits at barriers of teams
	 * with `inside` */
	VEC(struct reported_wait) reported_wait, reported_at_barrier;
	/* pieces of costs, if the costs of an interval are asked for (cost_pieces.h); else NULL */
	struct cost_pieces *interval;
	/* wall time on an ideal network (ideal_network.c); -1: not known */
	int64_t ideal_ns;
	VEC(struct booking) critical; /* time on the critical path; leaf unused (critical_path.c) */
	int64_t critical_estimated_ns; /* the part of the path whose node is an estimate */
	/* law.c: the largest excess of charges over the culprit's time; waits without a cause */
	int64_t error_ns, not_recorded_ns;
	/* all charges, until law_check */
	struct map charged_by_key; /* (victim and culprit, culprit's node) */
	VEC(int64_t) charged_ns;
	int64_t *probes_ns; /* by summary: cost of probes that a trace has in its node (law.c) */
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

/* The index of the summary of a node and a PU; INDEX_NONE if there is none. */
uint32_t model_summary(const struct experiment_model *m, uint32_t node, uint32_t pu);
/* The index of the summary of a node and a PU. Adds the summary if there is none. */
uint32_t model_add_summary(struct experiment_model *m, uint32_t node, uint32_t pu);

static inline uint32_t experiment_summary(const struct experiment *x, uint32_t node, uint32_t pu)
{
	return model_summary(&x->model, node, pu);
}

/* The waits in a node of the process's profile; NULL if the process has no waits. */
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
