/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.h - the profile format, byte by byte: what the runtime leaves behind for each process.
 *
 * Each process has one file in the experiment's directory: `proc-<host>-<pid>.sis`, or
 * `proc-<host>-<pid>.<rank>.sis` if ranks may be combined in one file (unified.h). The file is the
 * runtime's own memory, mapped shared and written in place. So whatever stops the process, the
 * measured data is in the file. The price is that readers must check everything (see "Reading").
 *
 *      offset 0        +----------------------------+
 *                      | struct sis_profile_header  |  SIS_PAGE bytes
 *      SIS_PAGE        +----------------------------+
 *                      | chunk: header, payload     |  a multiple of SIS_PAGE bytes
 *                      +----------------------------+
 *                      | chunk ...                  |  to header.size; bytes after it mean nothing
 *                      +----------------------------+
 *
 * All integers are in the byte order of the writer, which header.endian shows. A reader with
 * another byte order refuses the file. Fields that are pointers hold addresses in the process,
 * where the file was mapped at header.base. So address - base is the offset in the file. An address
 * outside [base, base + size) means "none".
 *
 * Chunk kinds and their payloads:
 *   SIS_CHUNK_THREAD   one struct sis_profile_thread, then bytes private to the runtime
 *   SIS_CHUNK_NODES    an array of struct sis_node; `used` / sizeof(node) of them
 *   SIS_CHUNK_VALUES   blocks of values, to which nodes point: struct sis_values
 *   SIS_CHUNK_RECORDS  records in the order of their exit, most of them packed (record.h); a
 *                      payload follows some records
 *   SIS_CHUNK_UNIT     struct sis_profile_unit, then its instrumentation description (JSON text)
 *   SIS_CHUNK_COMM     struct sis_profile_comm, then the world ranks of its members (uint32_t each)
 *   SIS_CHUNK_USER_VALUES  an array of struct sis_user_value
 *   SIS_CHUNK_CULPRITS  an array of struct sis_culprit; two of them may have the same nodes, slot
 *                      and flags
 *   SIS_CHUNK_POLLS    an array of struct sis_polls
 *   SIS_CHUNK_ESTIMATES  an array of struct sis_estimate; elements without a node mean nothing
 *   SIS_CHUNK_UNSCHEDULED  an array of struct sis_unscheduled; elements with count 0 mean nothing
 *   SIS_CHUNK_SENSORS  an array of struct sis_sensor_sample, in the order of their times; in one
 *                      process of a host
 *   SIS_CHUNK_SWITCHED an array of struct sis_switched; elements with count 0 mean nothing
 *   SIS_CHUNK_TEXT     NUL-ended lines: `kind<TAB>text`, kinds:
 *                        builtin<TAB>ID<TAB>NAME,NAME,...
 *                                          ids from ID on are region types and MPI routines
 *                        call<TAB>ID<TAB>BUILTIN<TAB>ADDRESS<TAB>BODY
 *                                          the region ID is of calls of the region BUILTIN that
 *                                          return to ADDRESS, and execute the function at
 *                                          BODY (both hexadecimal; BODY 0: none). The ids
 *                                          increase from line to line
 *                        set<TAB>ID<TAB>METRIC,METRIC,...
 *                                          a set of metrics, which blocks of values name by ID
 *                        value<TAB>ID<TAB>NAME
 *                                          the name of a user value
 *                        missing<TAB>METRIC<TAB>reason
 *                                          the metric was requested, and is not available here
 *                        lost<TAB>SLOT<TAB>METRIC<TAB>reason
 *                                          the metric could not always be read in this slot, so its
 *                                          values there mean nothing
 *                        estimate<TAB>METRIC<TAB>reason
 *                                          why the values of the metric are estimates
 *                        untimed<TAB>N<TAB>TYPE,TYPE,...
 *                                          of the entries of regions of these types that did not
 *                                          wait, one in N was timed on average. It stands for the
 *                                          others
 *                        cost<TAB>METRIC<TAB>NS<TAB>how
 *                                          the cost of one event on this machine, which replaces
 *                                          that in costs.def
 *                        reading<TAB>ID<TAB>NS
 *                                          the cost of reading a set of metrics, at each enter and
 *                                          each leave
 *                        mpi_call<TAB>NS<TAB>NS
 *                                          what the wrapper of a call of MPI costs: inside the
 *                                          call's region, and in the region around it
 *                        pair_around<TAB>NS<TAB>NS<TAB>NS
 *                                          the length of some work, and what a pair of probes
 *                                          around this work costs: inside the region, and in the
 *                                          region around it. The lengths increase from line to
 *                                          line. The header has the cost of a pair without work
 *                        atomic<TAB>NS     the time of an atomic operation that no other thread
 *                                          disturbs
 *                        warning<TAB>text  a warning to the user
 *                        clock<TAB>text    which clock the ticks are of, and what reading it costs
 *                        unkept<TAB>reason
 *                                          measured data is missing, because a file could not be
 *                                          written: the experiment is not complete
 *                        machine<TAB>key<TAB>value
 *                                          description of the machine
 *                        env<TAB>SIS_X=value
 *                                          settings in force
 *                        library<TAB>PATH  a library with measured units, as the dynamic linker
 *                                          names it: it may be relative to header.directory
 *                        searched<TAB>PATH  a library of a program whose libraries have measured
 *                                          units, named likewise. These lines are in the order in
 *                                          which the dynamic linker searches for functions
 *                        rung<TAB>ID<TAB>RUNG<TAB>TICKS
 *                                          from TICKS on, the lowest rung of the region's nodes was
 *                                          full, fraction or sampled, or the region was off
 *                        pair<TAB>NS<TAB>NS
 *                                          the cost of a pair of probes at the rungs fraction and
 *                                          sampled. The header has the cost at the rung full and,
 *                                          without this line, at all rungs
 *                        off<TAB>CHECKSUM<TAB>FIRST-LAST,FIRST-LAST,...
 *                                          regions that SIS_FILTER turned off. They are of the unit
 *                                          whose description has this sis_checksum (hexadecimal)
 *                        rule<TAB>TICKS<TAB>FILE:LINE<TAB>then|else
 *                                          a rule (control_rules.h) began to act. At most 2000 of
 *                                          these lines
 *                        cause<TAB>ID<TAB>rule|command<TAB>FILE:LINE<TAB>ACTION
 *                                          a cause in struct sis_switched: an action of a rule, or
 *                                          of a command in the run's file `control`
 *                        control<TAB>BYTES  so many bytes of the run's file `control` were obeyed
 *                        sandbox<TAB>TICKS<TAB>measured|not measured<TAB>all|one
 *                                          all threads, or the one that asked for the sandbox, went
 *                                          into a sandbox (seccomp). From then on, the runtime
 *                                          makes no system calls in them
 *
 * Time is in ticks of header.clock. Two readings of (ticks, CLOCK_MONOTONIC, CLOCK_REALTIME), at
 * the start and at the end, give nanoseconds by linear interpolation. If a run did not reach its
 * end, there is only the reading at the start, and header.ticks_per_second.
 *
 * Reading: the state says whether the process ended. In the state SIS_STATE_ENDED, the chunks have
 * checksums, which must be right. In any other state the file is a snapshot of a running process:
 *   - the last update of a node may be half done (calls counted, time not yet added);
 *   - `used` may be one item behind;
 *   - activations on the path from thread.current to its root are open. They have lasted from
 *     node.start to thread.stamp.
 *
 * A process that is killed while it creates the file leaves no bytes, zeros up to the size that it
 * allocated, or a part of the header. Readers leave such a file out with a warning: nothing was
 * measured yet.
 *
 * Recursion: a path has at most SIS_RECURSION nodes of a region, or fewer if its thread has many
 * nodes. A deeper activation makes no node. It is added to the last of these nodes, which then has
 * SIS_NODE_FOLDS.
 *
 *      root -> f -> g -> ... -> f#32 -> g#32      f is entered in g#32: f#32 is the current node
 *                                ^        |       again, and what f calls is below f#32;
 *                                +--------+       f is left: g#32 is the current node
 *
 * While this inner f is open, the nodes from g#32 up to the child of f#32 are not open: the time of
 * their activations so far is in `total`, and they continue when f is left. So at each moment, time
 * passes on one path of the tree:
 *   - with folds and without, open activations are found and timed as described above;
 *   - `total` of f#32 is the time of its outermost activations, `calls` is the number of all;
 *   - `total` less the `total` of the children is the exclusive time of all activations of a node;
 *   - `total` of g#32 does not include the time of the f that it called. If the process was killed,
 *     g#32 may have calls and a total, but no shortest and longest activation yet;
 *   - when a node continues, its `start` is moved by the time in which it was not open.
 *
 * Estimates: if a node has a rung below SIS_RUNG_FULL, and one of its activations was short, not
 * every activation is timed.
 *   SIS_RUNG_FRACTION  one activation in header.timing is timed, and stands for all. `total` is an
 *                      estimate, and its error is computed from struct sis_estimate
 *   SIS_RUNG_SAMPLED   no activation is timed. A sampler looks at the current node of the thread at
 *                      random times. It adds the time since its last look to the estimates of the
 *                      current node and of the nodes around it, up to the first one whose open
 *                      activation is timed. `total` of a node grows by the time of the timed
 *                      activations that it contained. So the inclusive time of the node is `total`
 *                      plus the time of the samples
 * A rung may change while the process runs. The highest bits of `start` say how an open activation
 * is timed, whatever rung its node has got since:
 *   none                  the activation has been timed from `start` on, as described above
 *   SIS_START_CHOSEN      likewise, and it stands for others (SIS_RUNG_FRACTION)
 *   SIS_START_UNTIMED     the activation is not timed. The other bits of `start` are the time of
 *                         the thread's last probe before it began, which is close to its begin
 *   SIS_START_SAMPLED     `start` has only this value: the activation is not timed, and its time is
 *                         in the samples
 *
 * A reader refuses a file of another version. A new kind of chunk, text or record needs no new
 * version, because readers skip kinds that they do not know.
 */
#ifndef SIS_SCHEMA_PROFILE_H
#define SIS_SCHEMA_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#define SIS_PROFILE_MAGIC "SIS\r\n\x1a\n" /* 7 characters and the NUL. A transfer in text mode
                                           * changes them */
#define SIS_PROFILE_VERSION 5u
#define SIS_PROFILE_ENDIAN 0x01020304u
#define SIS_PAGE 4096u

enum sis_clock { SIS_CLOCK_TSC = 1, SIS_CLOCK_MONOTONIC = 2 };

enum sis_state {
	SIS_STATE_RUNNING = 1,   /* still running, or killed */
	SIS_STATE_ENDED = 2,     /* the process reached the end of its run; checksums are valid */
	/* crash, abort or failed assertion: `status` is the signal's number */
	SIS_STATE_SIGNAL = 3,
	/* MPI_Abort, _exit, quick_exit, daemon: `status` is the exit status or error code */
	SIS_STATE_ABORTED = 4,
	SIS_STATE_EXEC = 5,      /* replaced by another program */
	SIS_STATE_SANDBOX = 6,   /* ended in a sandbox, which does not allow the runtime to complete
	                          * the file */
};

struct sis_time_mark { /* one moment, on three clocks */
	uint64_t ticks;
	uint64_t monotonic_ns;
	uint64_t realtime_ns;
};

struct sis_profile_header {
	char magic[8];            /* SIS_PROFILE_MAGIC */
	uint32_t version;         /* SIS_PROFILE_VERSION */
	uint32_t endian;          /* SIS_PROFILE_ENDIAN as the writer stores it */
	uint64_t base;            /* address of this header in the process */
	uint64_t size;            /* bytes in use, header included. The number grows */
	uint32_t state;           /* enum sis_state */
	int32_t status;           /* exit status or signal, by state */
	uint32_t clock;           /* enum sis_clock */
	uint32_t pid;
	uint64_t ticks_per_second;/* measured in a short calibration at the start */
	struct sis_time_mark start;
	struct sis_time_mark end; /* all zero until the run ended */
	int32_t mpi_rank;         /* in MPI_COMM_WORLD; -1: MPI was not initialized */
	int32_t mpi_size;
	int64_t clock_offset_ns;  /* monotonic_ns + clock_offset_ns is the time of rank 0's clock */
	uint64_t clock_error_ns;  /* upper bound of the error of clock_offset_ns */
	/* cost of a pair of probes: the part inside the region's measured time ... */
	double probe_inner_ns;
	double probe_outer_ns;    /* ... and the part outside, in the parent's time */
	/* the process that forked this one, if that process was measured, too; else 0 */
	uint32_t parent_pid;
	uint32_t cores;           /* online processors of the host */
	uint64_t memory_bytes;    /* bytes of memory of the host */
	uint32_t max_slots;       /* most slots that were in use at the same time */
	/* N of SIS_TIMING=1/N: one of N short activations was timed and counts N times. So totals
	 * of nodes are estimates, and children may have more than their parent. 0: all activations
	 * were timed, except those of nodes with a struct sis_estimate */
	uint32_t timing;
	char host[64];
	char program[256];        /* path of the executable */
	char command[1024];       /* arguments of the program, with a NUL between them; cut if
	                           * longer */
	char directory[512];      /* working directory at the start */
	char run_id[64];          /* the same for all processes of a run */
	char writer[64];          /* version of the runtime */
	/* a number of this boot of the kernel: processes with the same number have the same clock
	 * monotonic_ns; 0: not known */
	uint64_t boot;
	/* ticks of the sampler's last look at the threads, which lived at this time. 0: there was
	 * no look */
	uint64_t looked;
};

enum sis_chunk_kind {
	SIS_CHUNK_THREAD = 1,
	SIS_CHUNK_NODES,
	SIS_CHUNK_VALUES,
	SIS_CHUNK_RECORDS,
	SIS_CHUNK_UNIT,
	SIS_CHUNK_COMM,
	SIS_CHUNK_TEXT,
	SIS_CHUNK_USER_VALUES,
	SIS_CHUNK_SENSORS,
	SIS_CHUNK_CULPRITS,
	SIS_CHUNK_POLLS,
	SIS_CHUNK_ESTIMATES,
	SIS_CHUNK_SWITCHED,
	SIS_CHUNK_UNSCHEDULED,
};

#define SIS_CHUNK_MAGIC 0x4b484353u /* "SCHK" */

struct sis_chunk {
	uint32_t magic;    /* SIS_CHUNK_MAGIC, which is written last: a chunk without it ends the
	                    * file */
	uint32_t kind;     /* enum sis_chunk_kind */
	uint64_t size;     /* bytes of the whole chunk, this header included; a multiple of
	                    * SIS_PAGE */
	uint64_t used;     /* bytes of payload in use */
	uint32_t slot;     /* the processing unit that the chunk is about; SIS_NO_SLOT: the
	                    * process */
	uint32_t reserved;
	uint64_t checksum; /* sis_checksum of the used payload, after the run has ended */
	uint64_t padding[3];
};
#define SIS_NO_SLOT UINT32_MAX

/* A processing unit: a slot of the process, with one thread at a time. */
struct sis_profile_thread {
	/* node of the innermost open activation; the root if the thread is idle. Every probe writes
	 * this member */
	struct sis_node *current;
	/* ticks of the last probe. It is written before the time up to this probe is added to a
	 * node. So if the process is killed in between, no node has more time than the thread */
	uint64_t stamp;
	struct sis_node *root;    /* its region is RT_RUN */
	uint32_t slot;            /* 0: the initial thread */
	uint32_t tid;             /* number of the operating system's thread that had the slot
	                           * last */
	uint64_t mismatched;      /* calls of leave for which no activation was open */
	uint64_t unwound;         /* activations that ended only because an outer one was left */
	uint64_t dropped_nodes;   /* activations that were not measured for lack of memory */
	uint64_t dropped_records; /* records that are missing because the log was full */
	uint64_t probes;          /* slow-path activations, for the calibration */
};

/* A node of the call graph: all activations with the same stack of regions.
 *
 *        root (RT_RUN)
 *          | last_child            siblings form a ring through `next`;
 *          v                       `last_child` is the member entered last
 *        main -> init -> main      (ring)
 */
struct sis_node {
	uint32_t region;             /* id of the region, which chunks of kind UNIT explain; may
	                              * have SIS_NODE_FOLDS */
	uint32_t children : 24;      /* members of the ring below */
	uint8_t rung;                /* enum sis_rung: how the next activation is timed */
	struct sis_node *parent;     /* none: this is the root */
	struct sis_node *last_child; /* none: no child */
	struct sis_node *next;       /* next node in the ring */
	/* ticks when the open or last activation began, if it is timed (SIS_START_...) */
	uint64_t start;
	uint64_t calls;              /* number of activations that have begun, folded ones
	                              * included */
	uint64_t total;              /* ticks of the activations that ended, children included */
	uint64_t min, max;           /* ticks of the shortest and of the longest activation that
	                              * ended, folded ones included; min is all ones at first */
	struct sis_values *values;   /* metrics and origin; few nodes have them */
	/* private to the runtime: inclusive time at its last look, open activations included
	 * (SIS_RECORD_PHASE) */
	uint64_t seen;
	struct sis_estimate *estimate; /* none: all of the node's time was measured, or none of
	                                * it */
};

enum sis_rung { SIS_RUNG_FULL, SIS_RUNG_FRACTION, SIS_RUNG_SAMPLED, SIS_RUNGS };

#define SIS_START_UNTIMED 0x8000000000000000u
#define SIS_START_CHOSEN 0x4000000000000000u
#define SIS_START_SAMPLED UINT64_MAX

#define SIS_NODE_FOLDS 0x40000000u /* inner activations of the region are added to this node */

/* The ticks when the open or last activation of a node began; SIS_START_SAMPLED: not known. */
static inline uint64_t sis_node_start(uint64_t start)
{
	return start == SIS_START_SAMPLED ? start
					  : start & ~(SIS_START_UNTIMED | SIS_START_CHOSEN);
}

/* The region of a node. The node may belong to another thread, which changes it meanwhile. */
static inline uint32_t sis_node_region(const struct sis_node *node)
{
	return __atomic_load_n(&node->region, __ATOMIC_RELAXED) & ~SIS_NODE_FOLDS;
}

/* The sums from which the error of a node's time is computed. The thread of the node writes the
 * first part, the sampler the second part. */
struct sis_estimate {
	struct sis_node *node;
	/* timed: number of activations that were timed and stand for others, each for header.timing
	 * or, if that is 0, for SIS_FRACTION. ticks, ticks_squared: the sums of their ticks, and of
	 * the squares of their ticks */
	uint64_t timed;
	double ticks, ticks_squared;
	uint64_t samples;        /* looks that found the node open, ... */
	uint64_t sampled;        /* ... the ticks that they stand for; ... */
	double sampled_squared;  /* ... the sum of the squares of these ticks */
	uint64_t rungs;          /* bit r: the node has had rung r; may have SIS_ESTIMATE_BRIEF */
	/* below: number of activations that began at SIS_RUNG_FRACTION and at SIS_RUNG_SAMPLED
	 * before the last change of the rung. since: the node's calls at this change. rung: the
	 * node's rung since then */
	uint64_t below[SIS_RUNGS - 1], since, rung;
};
/* All activations of the node are short. A long activation of such a node was interrupted, so it
 * stands only for itself. */
#define SIS_ESTIMATE_BRIEF 0x100u
#define SIS_SHORT 4096u   /* ticks: an activation that takes less is short */
#define SIS_FRACTION 16u /* one of so many activations is timed, unless SIS_TIMING gives another
                          * number */

struct sis_values {
	uint32_t set;            /* ID of the set of further metrics: a line `set` in the text
	                          * chunks; 0: none */
	uint32_t count;          /* number of metrics in the set */
	/* in the first node of a team's thread, and in a task: the node that created the team or
	 * task */
	struct sis_node *origin;
	/* enter: reading at the begin of the open activation; sum: total of the activations that
	 * ended */
	struct { uint64_t enter, sum; } value[];
};

/* How long the threads of a slot had no processor in a node, or slept there, by the kernel's
 * records of switches. One element of a slot has no node: it has the flags of the slot, and the
 * times whose node is not known. A slot without this element has no records of switches. */
struct sis_unscheduled {
	struct sis_node *node;
	uint32_t slot;
	uint32_t flags;           /* in the element without a node: enum sis_unscheduled_flag; else
	                           * 0 */
	uint64_t count;           /* number of times without a processor or asleep; in the element
	                           * without a node, this number plus 1 */
	uint64_t preempted_ns;    /* ready to run, without a processor */
	uint64_t blocked_ns;      /* asleep. In calls of input and output, waits for files are not
	                           * included */
	uint64_t lost;            /* in the element without a node: records that are missing because
	                           * there was no room */
};
enum sis_unscheduled_flag {
	/* the kernel gave no records for some of the slot's threads; or nobody read the records any
	 * more, because the program's rights changed or its initial thread ended */
	SIS_UNSCHEDULED_REFUSED = 1,
	SIS_UNSCHEDULED_STOPPED = 2, /* the records cost more than SIS_OVERHEAD allows */
};

struct sis_user_value { /* the numbers that the program gave in a node (SIS_VALUE) */
	struct sis_node *node;
	uint32_t id;       /* ID of a line `value` in the text chunks */
	uint32_t reserved;
	uint64_t count;    /* how many numbers were given; 0: the other members mean nothing */
	double sum, min, max;
};

/* The waits of a thread in one node for one other slot of its process, while this slot was in one
 * node. */
struct sis_culprit {
	struct sis_node *node;    /* where the thread waited; none: this is the sum of all other
	                           * waits */
	struct sis_node *culprit; /* where the other slot was */
	uint32_t slot;            /* the other slot */
	uint32_t flags;           /* enum sis_culprit_flag */
	uint64_t count;           /* number of waits, or of parts of waits; 0: the other members
	                           * mean nothing */
	uint64_t ticks;           /* ticks of all these waits */
};

/* The polls in vain for one request or message in one node, so far. They get a record when the
 * request is complete or the message has come. The chunk is the table in which the runtime adds the
 * polls up. If the process was killed, the table shows the polls of that moment. */
struct sis_polls {
	uint64_t key;             /* a number of the request or message, private to the runtime; 0:
	                           * the other members mean nothing */
	const void *thread;       /* an address, private to the runtime */
	struct sis_node *node;
	uint64_t exit;            /* ticks: end of the last poll */
	uint64_t ticks;           /* ticks in all of these polls, plus `between` */
	uint64_t between;         /* ticks between these polls that are no work of the program */
};

enum sis_culprit_flag {
	SIS_CULPRIT_ESTIMATED = 1, /* the culprit may have been elsewhere for a part of the time */
	SIS_CULPRIT_INSIDE = 2,    /* the culprit was in this node or in nodes below it */
	/* the culprit was ready to run there, and had no processor. The culprit may be the waiting
	 * slot itself, if it had no processor when it could continue */
	SIS_CULPRIT_NO_PROCESSOR = 4,
};

struct sis_sensor_sample { /* the load of the host, from its kernel; SIS_SENSOR_NONE: not known */
	uint64_t ticks;
	/* clock ticks of the kernel since its start, over all processors */
	uint64_t cpu_busy, cpu_all;
	uint64_t running;           /* processes that run or are ready to run */
	uint64_t memory_used;       /* bytes that are not available to other programs */
	/* since the kernel's start: page faults, page faults with input, context switches */
	uint64_t faults, major_faults, switches;
	uint64_t received, sent;    /* bytes since the kernel's start, over all interfaces except
	                             * the loopback */
};
#define SIS_SENSOR_NONE UINT64_MAX

enum sis_switched_what {
	SIS_SWITCHED_REGION = 1, /* a region is not measured; id: the region */
	SIS_SWITCHED_COUNTERS,   /* the metrics of a region are not read; id: the region */
	SIS_SWITCHED_TRACE,      /* no events are written to the trace */
	SIS_SWITCHED_THREAD,     /* nothing of a thread is measured: RT_UNMEASURED; id: the slot */
};

enum sis_cause {
	SIS_CAUSE_DISABLE = 1,   /* `measure disable` */
	SIS_CAUSE_PAUSE,         /* SIS_PAUSE */
	SIS_CAUSE_PCONTROL,      /* MPI_Pcontrol */
	SIS_CAUSE_OTHERS,        /* all rules and commands for which there was no separate room */
	SIS_CAUSE_FIRST = 16,    /* from here on: ID of a line `cause` in the text chunks */
};

/* When something was off for one cause. The runtime changes these numbers each time that the thing
 * is switched off or on, so they need the same room however often this happens. */
struct sis_switched {
	uint32_t what;           /* enum sis_switched_what */
	uint32_t cause;          /* enum sis_cause */
	uint32_t id;             /* id of the region, or a slot */
	uint32_t reserved;
	uint64_t count;          /* how often the thing was switched off; 0: the other members mean
	                          * nothing */
	uint64_t first, last;    /* ticks when it was switched off first, and last */
	uint64_t on;             /* ticks when it was switched on last. If this is less than `last`,
	                          * the thing is off */
	uint64_t ticks;          /* ticks in which it was off, without the time since `last` if it
	                          * is off now */
	struct sis_switched *next; /* private to the runtime */
};

/* The kinds of records. A record is one operation that may wait for other processes or threads,
 * with its times. */
enum sis_record_kind {
	SIS_RECORD_SEND = 1, /* blocking send, which begins at enter and returns at exit */
	SIS_RECORD_RECV,     /* blocking receive; peer and tag are those of the message */
	/* non-blocking send or start of a persistent one; serial: its request */
	SIS_RECORD_ISEND,
	SIS_RECORD_IRECV,    /* non-blocking receive, or start of a persistent one; peer and tag may
	                      * be wildcards until it is completed */
	/* request `serial` was completed in the call [enter, exit]; flags say what kind of
	 * request */
	SIS_RECORD_DONE,
	/* collectives: `serial` is the number of the collective in its communicator; BEGUN: a DONE
	 * record follows */
	SIS_RECORD_BARRIER,
	SIS_RECORD_NXN,
	SIS_RECORD_FROM_ROOT,/* peer: the root; in an intercommunicator: enum sis_record_root */
	SIS_RECORD_TO_ROOT,
	SIS_RECORD_SCAN,
	SIS_RECORD_FENCE,    /* collective on a window */
	SIS_RECORD_INIT,
	SIS_RECORD_FINALIZE,
	/* the nodes that ran between two collectives: a payload of struct sis_phase_entry */
	SIS_RECORD_PHASE,
	/* one-sided, in the window `comm`; peer: the target; bytes: size of the target's data */
	SIS_RECORD_PUT,
	SIS_RECORD_GET,
	SIS_RECORD_ACCUMULATE,
	SIS_RECORD_POST,     /* one record for each process of the group: peer */
	SIS_RECORD_START,    /* one record for each process of the group: peer */
	SIS_RECORD_COMPLETE, /* for the processes of the last START in the window */
	/* for the processes of the last POST; POLL: seen by a test, with the times of
	 * SIS_RECORD_POLLS if there were polls in vain */
	SIS_RECORD_WAIT,
	SIS_RECORD_LOCK,     /* peer: the target; -1: all processes of the window */
	SIS_RECORD_UNLOCK,
	SIS_RECORD_FLUSH,
	/* a thread that is in no team had the slot from enter to exit; node: the slot's root */
	SIS_RECORD_LIFE,
	/* the thread waited for another one in a call of pthreads: at least 20 us for its end, or
	 * at least a millisecond for something else */
	SIS_RECORD_BLOCKED,
	/* peer and tag are those of the message that the probe found. POLL: the record is for the
	 * tests in vain in one node, or for the test that found the message, and has the times of
	 * SIS_RECORD_POLLS */
	SIS_RECORD_PROBE,
	/* all polls in vain of a request in one node, before the request was complete. serial and
	 * BEGUN: as in the request's DONE record. exit: the end of the last poll. exit - enter: the
	 * time in all these polls, plus the time between them that is no work of the program.
	 * bytes: ticks of the latter */
	SIS_RECORD_POLLS,
	/* collective with the neighbours in a topology; numbered with the collectives above */
	SIS_RECORD_NEIGH,
	/* collective on a file, in the communicator that opened it. serial: for the call that opens
	 * the file, its number among the collectives of the communicator; for a later call, (that
	 * number | 1 << 31) << 32, plus the number of collective calls on the file between them */
	SIS_RECORD_FILE,
	/* peer sends to this process in SIS_RECORD_NEIGH. One record for each neighbour in comm */
	SIS_RECORD_NEIGHBOUR,
	/* between enter and exit, the thread was ready to run for `bytes` nanoseconds and had no
	 * processor, by the kernel's count. node: where it waited all this time, or the slot's
	 * root */
	SIS_RECORD_NOCPU,
};

/* Values of `peer` for a collective with a root in an intercommunicator. Other values are the
 * root's rank in the other group */
enum sis_record_root {
	SIS_ROOT_SELF = -2,  /* this process is the root */
	SIS_ROOT_BESIDE = -3 /* the root is in this process's group, whose other processes take no
	                      * part */
};

enum sis_record_flag {
	SIS_RECORD_IS_SEND = 1,   /* DONE: of a send; without the flag: of a receive */
	SIS_RECORD_SYNCHRONOUS = 2, /* the send waits for its receiver by definition */
	SIS_RECORD_CANCELLED = 4, /* DONE: nothing was transferred */
	SIS_RECORD_POLL = 8,      /* DONE, WAIT, PROBE: seen by a test, not by a wait */
	SIS_RECORD_SHARED = 16,   /* LOCK: a shared lock */
	/* collectives: this call only began the collective; DONE: it completed the collective with
	 * this communicator and serial */
	SIS_RECORD_BEGUN = 32,
	/* ISEND, IRECV, DONE: of partitioned messages, which match only each other. ISEND is the
	 * call that made the last part ready */
	SIS_RECORD_PARTITIONED = 64,
};

struct sis_record {
	uint32_t head;          /* form of a packed record (record.h) */
	uint16_t kind;          /* enum sis_record_kind */
	uint16_t flags;         /* enum sis_record_flag */
	uint64_t enter, exit;   /* ticks; PHASE: begin and end of the phase */
	/* the call's node; PHASE: the node of the collective that ends it */
	struct sis_node *node;
	/* bytes transferred; PHASE: bytes of the payload that follows, a multiple of 64 */
	uint64_t bytes;
	uint64_t serial;        /* number of the request or collective; PHASE: number of entries */
	uint32_t comm;          /* id of a communicator: struct sis_profile_comm */
	int32_t peer;           /* rank in comm; -1: none or any */
	int32_t tag;            /* -1: none or any */
	uint32_t reserved;
};

struct sis_phase_entry { /* a node that was active in the phase */
	struct sis_node *node;
	uint64_t ticks;         /* exclusive time within the phase */
};

struct sis_profile_unit { /* followed by `length` bytes of JSON (idf.schema.json) */
	/* id at run time of the unit's region 0; region k has the id first_id + k */
	uint32_t first_id;
	uint32_t count;
	uint64_t length;
};

struct sis_profile_comm { /* followed by `size` world ranks unless it is the world */
	uint32_t id;            /* id of the communicator in this process */
	uint32_t size;
	uint32_t rank;          /* rank of this process in the communicator */
	/* world rank of the communicator's rank 0. With `number`, it identifies the communicator in
	 * the whole run. UINT32_MAX: it cannot be identified, and its records are not matched */
	uint32_t leader;
	uint64_t number;        /* the same in all processes of the communicator; 0: the world */
	uint32_t is_world;
	uint32_t is_inter;
	/* id of the communicator from which this one was made; UINT32_MAX: none. The other side of
	 * an intercommunicator has the next id, no leader, and the intercommunicator as its
	 * parent */
	uint64_t parent;
	char name[64];          /* MPI_Comm_set_name */
};

_Static_assert(sizeof(struct sis_profile_header) <= SIS_PAGE, "the header fits its page");
_Static_assert(sizeof(struct sis_chunk) == 64, "chunk payloads are cache-line aligned");
_Static_assert(sizeof(struct sis_node) == 96, "a node costs 96 bytes");
_Static_assert(offsetof(struct sis_node, rung) == 7, "a rung is changed alone");
_Static_assert(sizeof(struct sis_estimate) == 96, "an estimate costs 96 bytes");
_Static_assert(sizeof(struct sis_switched) == 64, "what was off costs 64 bytes for each cause");
_Static_assert(offsetof(struct sis_node, total) + 8 <= 64, "what a probe writes lies in 64 bytes");
_Static_assert(sizeof(struct sis_record) == 64, "a record costs 64 bytes");

/* The checksum of a payload: of eight bytes at a time, with zeros after the last ones. It detects
 * damage, but no malicious changes. */
static inline uint64_t sis_checksum(const void *data, uint64_t length)
{
	const unsigned char *p = data;
	uint64_t h = 0x9e3779b97f4a7c15u ^ length;
	for (; length; ) {
		uint64_t w = 0;
		uint64_t n = length < 8 ? length : 8;
		__builtin_memcpy(&w, p, n);
		h = (h ^ w) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
		p += n;
		length -= n;
	}
	return h;
}

#endif
