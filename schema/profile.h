/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.h - the profile format, byte by byte: what the runtime leaves behind for each process.
 *
 * One file a process, `proc-<host>-<pid>.sis` (`-<pid>.<rank>.sis` where ranks may come together in
 * one file: unified.h), inside an experiment directory. It is the runtime's own memory: mapped
 * shared, written in place, so that whatever stops the process, what was measured is in the file.
 * The price is that readers must take nothing on trust (see "Reading").
 *
 *      offset 0        +----------------------------+
 *                      | struct sis_profile_header  |  SIS_PAGE bytes
 *      SIS_PAGE        +----------------------------+
 *                      | chunk: header, payload     |  a multiple of SIS_PAGE bytes
 *                      +----------------------------+
 *                      | chunk ...                  |  to header.size; bytes after it mean nothing
 *                      +----------------------------+
 *
 * All integers are in the byte order of the writer, which header.endian shows; a reader of the
 * other order refuses the file. Addresses ("pointer" fields) are those of the process: the file was
 * mapped at header.base, so that address - base is the offset in the file. An address outside
 * [base, base + size) means "none".
 *
 * Chunk kinds and their payloads:
 *   SIS_CHUNK_THREAD   one struct sis_profile_thread, then bytes private to the runtime
 *   SIS_CHUNK_NODES    an array of struct sis_node; `used` / sizeof(node) of them
 *   SIS_CHUNK_VALUES   value blocks, which nodes point to: struct sis_values
 *   SIS_CHUNK_RECORDS  records in the order of their exit, most of them packed: see record.h; some
 *                      are followed by a payload
 *   SIS_CHUNK_UNIT     struct sis_profile_unit, then its instrumentation description (JSON text)
 *   SIS_CHUNK_COMM     struct sis_profile_comm, then the world ranks of its members (uint32_t each)
 *   SIS_CHUNK_USER_VALUES  an array of struct sis_user_value
 *   SIS_CHUNK_CULPRITS  an array of struct sis_culprit; two of them may have the same nodes, slot
 *                      and flags
 *   SIS_CHUNK_POLLS    an array of struct sis_polls
 *   SIS_CHUNK_ESTIMATES  an array of struct sis_estimate; one without a node means nothing
 *   SIS_CHUNK_UNSCHEDULED  an array of struct sis_unscheduled; one with count 0 means nothing
 *   SIS_CHUNK_SENSORS  an array of struct sis_sensor_sample, in the order of their times; in one
 *                      process of a host
 *   SIS_CHUNK_SWITCHED an array of struct sis_switched; one without a count means nothing
 *   SIS_CHUNK_TEXT     NUL-ended lines: `kind<TAB>text`, kinds:
 *                        builtin<TAB>ID<TAB>NAME,NAME,...
 *                                          ids from ID on are region types and MPI routines
 *                        set<TAB>ID<TAB>METRIC,METRIC,...
 *                                          the metric sets that value blocks name
 *                        value<TAB>ID<TAB>NAME
 *                                          the names of user values
 *                        missing<TAB>METRIC<TAB>reason
 *                                          requested, but not available here
 *                        lost<TAB>SLOT<TAB>METRIC<TAB>reason
 *                                          could not always be read there: its values in that slot
 *                                          mean nothing
 *                        estimate<TAB>METRIC<TAB>reason
 *                                          why its values are estimates
 *                        untimed<TAB>N<TAB>TYPE,TYPE,...
 *                                          in regions of these types, one in N of the entries that
 *                                          did not wait was timed, on the average, and stands for
 *                                          the others
 *                        cost<TAB>METRIC<TAB>NS<TAB>how
 *                                          the cost of one event there, in place of costs.def's
 *                        reading<TAB>ID<TAB>NS
 *                                          the cost of reading a metric set, at each enter and each
 *                                          leave
 *                        mpi_call<TAB>NS<TAB>NS
 *                                          what the wrapper of a call of MPI costs: inside the
 *                                          call's region, and in the region around it
 *                        pair_around<TAB>NS<TAB>NS<TAB>NS
 *                                          the length of some work, and what a pair of probes
 *                                          around it costs: inside the region, and in the region
 *                                          around it. The lengths increase. The header has the cost
 *                                          of a pair around nothing
 *                        atomic<TAB>NS     what an atomic operation takes that no other thread
 *                                          disturbs
 *                        warning<TAB>text  a warning to the user
 *                        clock<TAB>text    which clock the ticks are of, and what reading it costs
 *                        unkept<TAB>reason
 *                                          something measured is missing, because a file could not
 *                                          be written: the experiment is not complete
 *                        machine<TAB>key<TAB>value
 *                                          description of the machine
 *                        env<TAB>SIS_X=value
 *                                          settings in force
 *                        library<TAB>PATH  a library with measured units, as the dynamic linker
 *                                          names it: it may be relative to header.directory
 *                        rung<TAB>ID<TAB>RUNG<TAB>TICKS
 *                                          from then on the lowest rung of the region's nodes was
 *                                          full, fraction or sampled, or the region was off
 *                        pair<TAB>NS<TAB>NS
 *                                          the cost of a pair of probes of nodes at the rungs
 *                                          fraction and sampled. Without this line, and at the rung
 *                                          full, the header has it
 *                        off<TAB>CHECKSUM<TAB>FIRST-LAST,FIRST-LAST,...
 *                                          regions that SIS_FILTER turned off, of the unit whose
 *                                          description has this sis_checksum (hexadecimal)
 *                        turn<TAB>TICKS<TAB>ID<TAB>off|on
 *                                          a rule turned a region off or on (of older runtimes;
 *                                          now struct sis_switched says that)
 *                        rule<TAB>TICKS<TAB>FILE:LINE<TAB>then|else
 *                                          a rule (control_rules.h) began to act. At most 2000 of
 *                                          these lines
 *                        cause<TAB>ID<TAB>rule|command<TAB>FILE:LINE<TAB>ACTION
 *                                          a cause in struct sis_switched: an action of a rule, or
 *                                          of a command in the run's file `control`
 *                        control<TAB>BYTES  so much of the run's file `control` is obeyed
 *                        sandbox<TAB>TICKS<TAB>measured|not measured<TAB>all|one
 *                                          all threads, or the one that asked for it, went into a
 *                                          sandbox (seccomp): the runtime makes no system call in
 *                                          them from then on
 *
 * Time is in ticks of header.clock. Two readings of (ticks, CLOCK_MONOTONIC, CLOCK_REALTIME), at
 * the start and at the end, give nanoseconds by linear interpolation; a run that did not reach its
 * end has header.ticks_per_second from the start alone.
 *
 * Reading: the state says whether the process ended (SIS_STATE_ENDED: chunk checksums are there and
 * must be right). In any other state the file is a snapshot of a running process: the last update
 * of a node may be half done (calls counted, time not yet added), `used` may be one item behind,
 * and activations on the path from thread.current to its root are open and have lasted from
 * node.start to thread.stamp.
 *
 * A process that is killed while it creates the file leaves no bytes, zeros up to the size that it
 * allocated, or a part of the header. Readers leave such a file out with a warning: nothing was
 * measured yet.
 *
 * Recursion: a path has at most SIS_RECURSION nodes of a region, or fewer if its thread has many
 * nodes. A deeper activation makes no node: it is added to the last of them, which has
 * SIS_NODE_FOLDS from then on.
 *
 *      root -> f -> g -> ... -> f#32 -> g#32      f is entered in g#32: f#32 is the current node
 *                                ^        |       again, and what f calls is below f#32;
 *                                +--------+       f is left: g#32 is the current node
 *
 * Meanwhile the nodes from g#32 up to f#32, which is not included, are not open: the time of their
 * activations so far is in `total`, and they go on when f is left. So at each moment time passes on
 * one path of the tree:
 *   - open activations are found and timed as described above, with folds or without;
 *   - `total` of f#32 is the time of its outermost activations, `calls` is the number of all;
 *   - `total` less that of the children is the exclusive time of all activations of the node;
 *   - `total` of g#32 is without the time of the f that it called. In the file of a process that
 *     was killed, it may have calls and a total, but no shortest and longest activation yet;
 *   - `start` of a node that goes on is later by the time in which it was not open.
 *
 * Estimates: a node with a rung below SIS_RUNG_FULL, one of whose activations was short, is not
 * timed at each activation.
 *   SIS_RUNG_FRACTION  one activation in header.timing is timed, and stands for all: `total` is an
 *                      estimate, and struct sis_estimate has what its error follows from
 *   SIS_RUNG_SAMPLED   no activation is timed. A sampler looks at the current node of the thread at
 *                      random times, and adds the time since its last look to the estimates of the
 *                      current node and of the nodes around it, up to the first whose open
 *                      activation is timed. `total` of a node grows by the time of the timed
 *                      activations that it contained. So its inclusive time is `total` and the
 *                      samples' time together
 * A rung may change while the process runs. The highest bits of `start` say how an open activation
 * is timed, whatever rung its node has since:
 *   none                  it has been timed from `start` on, as described above
 *   SIS_START_CHOSEN      likewise, and stands for others (SIS_RUNG_FRACTION)
 *   SIS_START_UNTIMED     it is not timed; the rest of `start` is when the thread's last probe
 *                         before was, which is close to its start
 *   SIS_START_SAMPLED     this is all of `start`: it is not timed, its time is in the samples
 *
 * Version history: 1 - first. 2 - short records; the boot of the kernel. 3 - records of 4 and 8
 * bytes, whole ones begin with a head that distinguishes them; the origin of a node is in its
 * values. 4 - recursion is folded. 5 - nodes have a rung and an estimate; the bits of `start`. A
 * new kind of chunk, text or record makes no new version: readers skip kinds that they do not know.
 */
#ifndef SIS_SCHEMA_PROFILE_H
#define SIS_SCHEMA_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#define SIS_PROFILE_MAGIC "SIS\r\n\x1a\n" /* 7 characters and the NUL: catches transfers as text */
#define SIS_PROFILE_VERSION 5u
#define SIS_PROFILE_ENDIAN 0x01020304u
#define SIS_PAGE 4096u

enum sis_clock { SIS_CLOCK_TSC = 1, SIS_CLOCK_MONOTONIC = 2 };

enum sis_state {
	SIS_STATE_RUNNING = 1,   /* still running, or killed */
	SIS_STATE_ENDED = 2,     /* reached the end of its run; checksums are valid */
	/* a crash, abort or a failed assertion: `status` is the signal's number */
	SIS_STATE_SIGNAL = 3,
	/* MPI_Abort, _exit, quick_exit, daemon: `status` is the exit status or error code */
	SIS_STATE_ABORTED = 4,
	SIS_STATE_EXEC = 5,      /* replaced by another program */
	SIS_STATE_SANDBOX = 6,   /* ended in a sandbox, which does not let it seal the file */
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
	uint64_t size;            /* bytes in use, header included; grows */
	uint32_t state;           /* enum sis_state */
	int32_t status;           /* exit status or signal, by state */
	uint32_t clock;           /* enum sis_clock */
	uint32_t pid;
	uint64_t ticks_per_second;/* from a short calibration at the start */
	struct sis_time_mark start;
	struct sis_time_mark end; /* all zero until the run ended */
	int32_t mpi_rank;         /* in MPI_COMM_WORLD; -1: MPI was not initialized */
	int32_t mpi_size;
	int64_t clock_offset_ns;  /* to add to monotonic_ns to get rank 0's clock */
	uint64_t clock_error_ns;  /* bound on the error of clock_offset_ns */
	/* a probe's own cost: the part inside the region's measured time ... */
	double probe_inner_ns;
	double probe_outer_ns;    /* ... and the part outside, in the parent's */
	/* the process that forked this one, if it was measured too; else 0 */
	uint32_t parent_pid;
	uint32_t cores;           /* online processors of the host */
	uint64_t memory_bytes;    /* of the host */
	uint32_t max_slots;       /* most slots in use at once */
	/* N of SIS_TIMING=1/N: one of N short activations was timed and counts N times, so totals
	 * of nodes are estimates, and children may have more than their parent; 0: all were timed,
	 * but for nodes with a struct sis_estimate */
	uint32_t timing;
	char host[64];
	char program[256];        /* path of the executable */
	char command[1024];       /* its arguments, NUL between, cut if longer */
	char directory[512];      /* working directory at the start */
	char run_id[64];          /* the same for all processes of a run */
	char writer[64];          /* version of the runtime */
	/* identifies one boot of one kernel: processes with the same value have the same clock
	 * monotonic_ns; 0: not known */
	uint64_t boot;
	/* ticks of the sampler's last look at the threads, which lived then; 0: none */
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
	uint32_t magic;    /* SIS_CHUNK_MAGIC, written last: the file ends at a chunk without it */
	uint32_t kind;     /* enum sis_chunk_kind */
	uint64_t size;     /* of the whole chunk, this header included; a multiple of SIS_PAGE */
	uint64_t used;     /* bytes of payload in use */
	uint32_t slot;     /* processing unit it belongs to; SIS_NO_SLOT: the process */
	uint32_t reserved;
	uint64_t checksum; /* sis_checksum of the used payload, once the run ended */
	uint64_t padding[3];
};
#define SIS_NO_SLOT UINT32_MAX

/* A processing unit: a slot of the process that one thread at a time fills. */
struct sis_profile_thread {
	/* innermost open activation; the root when idle. Written by every probe */
	struct sis_node *current;
	/* ticks of the last probe. It is written before the time that ends then is added to a node:
	 * if the process is killed in between, no node has more time than the thread. */
	uint64_t stamp;
	struct sis_node *root;    /* its region is RT_RUN */
	uint32_t slot;            /* 0: the initial thread */
	uint32_t tid;             /* of the operating system's thread that filled it last */
	uint64_t mismatched;      /* leaves that matched no open activation */
	uint64_t unwound;         /* activations closed only because an outer one was left */
	uint64_t dropped_nodes;   /* activations not measured for lack of memory */
	uint64_t dropped_records; /* records not kept: the log was full */
	uint64_t probes;          /* slow-path activations, for the calibration */
};

/* Node of the dynamic region call graph: all activations with the same stack of regions.
 *
 *        root (RT_RUN)
 *          | last_child            siblings form a ring through `next`;
 *          v                       `last_child` is the member entered last
 *        main -> init -> main      (ring)
 */
struct sis_node {
	uint32_t region;             /* id: the unit chunks say what it is; and SIS_NODE_FOLDS */
	uint32_t children : 24;      /* members of the ring below */
	uint8_t rung;                /* enum sis_rung: how the next activation is timed */
	struct sis_node *parent;     /* none: the root */
	struct sis_node *last_child; /* none: no child */
	struct sis_node *next;       /* of the same parent */
	/* ticks when the current or last activation began, if it is timed (SIS_START_...) */
	uint64_t start;
	uint64_t calls;              /* activations begun, folded ones included */
	uint64_t total;              /* ticks of the activations that ended, children included */
	uint64_t min, max;           /* ticks of the shortest and longest ended one, folded ones
				      * included; min starts as all ones */
	struct sis_values *values;   /* metrics and origin, which few nodes have */
	/* the runtime's: inclusive time at its last look, open activations included
	 * (SIS_RECORD_PHASE) */
	uint64_t seen;
	struct sis_estimate *estimate; /* none: all of its time was measured, or none */
};

enum sis_rung { SIS_RUNG_FULL, SIS_RUNG_FRACTION, SIS_RUNG_SAMPLED, SIS_RUNGS };

#define SIS_START_UNTIMED 0x8000000000000000u
#define SIS_START_CHOSEN 0x4000000000000000u
#define SIS_START_SAMPLED UINT64_MAX

#define SIS_NODE_FOLDS 0x40000000u /* activations of the region inside this one are added to it */

/* When the open or last activation began; SIS_START_SAMPLED: not known. */
static inline uint64_t sis_node_start(uint64_t start)
{
	return start == SIS_START_SAMPLED ? start
					  : start & ~(SIS_START_UNTIMED | SIS_START_CHOSEN);
}

/* The node may be another thread's, which changes it meanwhile. */
static inline uint32_t sis_node_region(const struct sis_node *node)
{
	return __atomic_load_n(&node->region, __ATOMIC_RELAXED) & ~SIS_NODE_FOLDS;
}

/* What the error of a node's time follows from. The thread of the node writes the first part, the
 * sampler the second one. */
struct sis_estimate {
	struct sis_node *node;
	/* activations that were timed and stood for header.timing or, if that is 0, SIS_FRACTION
	 * each; the sums of their ticks, and of the squares of these */
	uint64_t timed;
	double ticks, ticks_squared;
	uint64_t samples;        /* looks that found it open, ... */
	uint64_t sampled;        /* ... the ticks that they stand for; ... */
	double sampled_squared;  /* ... the sum of the squares of these */
	uint64_t rungs;          /* bit r: the node has had rung r; SIS_ESTIMATE_BRIEF */
	/* activations that began at SIS_RUNG_FRACTION and SIS_RUNG_SAMPLED, without those since the
	 * last change; the node's calls at that change; its rung since then */
	uint64_t below[SIS_RUNGS - 1], since, rung;
};
/* All activations of the node are short. A long one was interrupted, and stands for itself. */
#define SIS_ESTIMATE_BRIEF 0x100u
#define SIS_SHORT 4096u   /* ticks: an activation that takes less is short */
#define SIS_FRACTION 16u /* of activations, one of which is timed, where SIS_TIMING does not say */

struct sis_values {
	uint32_t set;            /* of further metrics: a `set` line of the text chunks; 0 none */
	uint32_t count;          /* of metrics in it */
	/* in the first node of a team's thread, and in tasks: the node that created it */
	struct sis_node *origin;
	/* reading at the open activation's start; total of the ended */
	struct { uint64_t enter, sum; } value[];
};

/* How long a slot's threads were in a node without a processor, or slept there, by the kernel's
 * records of switches. One element of a slot has no node: what is known of the slot as a whole, and
 * the times whose node is not known. A slot without that element has no records. */
struct sis_unscheduled {
	struct sis_node *node;
	uint32_t slot;
	uint32_t flags;           /* of the slot: enum sis_unscheduled_flag; else 0 */
	uint64_t count;           /* of times without a processor or asleep; the slot's: and 1 */
	uint64_t preempted_ns;    /* ready to run, without a processor */
	uint64_t blocked_ns;      /* asleep; in calls of input and output, only if for no file */
	uint64_t lost;            /* of the slot: records that found no room */
};
enum sis_unscheduled_flag {
	/* by the kernel, for some of the slot's threads; or the program's rights changed, or its
	 * initial thread ended, and nobody read the records any more */
	SIS_UNSCHEDULED_REFUSED = 1,
	SIS_UNSCHEDULED_STOPPED = 2, /* they cost more than SIS_OVERHEAD allows */
};

struct sis_user_value { /* numbers that the program gave in a node (SIS_VALUE) */
	struct sis_node *node;
	uint32_t id;       /* a `value` line of the text chunks */
	uint32_t reserved;
	uint64_t count;    /* of numbers; 0: the rest means nothing */
	double sum, min, max;
};

/* The waits of a thread in one node for one other slot of its process, and the node in which that
 * slot was meanwhile. */
struct sis_culprit {
	struct sis_node *node;    /* where the thread waited; none: the sum of all other waits */
	struct sis_node *culprit; /* where the other slot was */
	uint32_t slot;            /* the other slot */
	uint32_t flags;           /* enum sis_culprit_flag */
	uint64_t count;           /* of waits, or parts of them; 0: the rest means nothing */
	uint64_t ticks;           /* of all these waits */
};

/* Polls in vain of one thing in one node, so far. They get a record when what they ask for has
 * come. The chunk is the table in which the runtime adds them up: in a process that was killed, it
 * says what was polled then. */
struct sis_polls {
	uint64_t key;             /* what is polled, for the runtime; 0: the rest means nothing */
	const void *thread;       /* an address, for the runtime */
	struct sis_node *node;
	uint64_t exit;            /* ticks: end of the last poll */
	uint64_t ticks;           /* in all of them, with ... */
	uint64_t between;         /* ... those between them that are no work of the program */
};

enum sis_culprit_flag {
	SIS_CULPRIT_ESTIMATED = 1, /* the culprit may have been elsewhere for a part of the time */
	SIS_CULPRIT_INSIDE = 2,    /* it was in that node or in those below it */
	/* it was ready to run there, and had no processor. It may be the slot that waited, which
	 * had none when it could go on */
	SIS_CULPRIT_NO_PROCESSOR = 4,
};

struct sis_sensor_sample { /* the host as its kernel sees it; SIS_SENSOR_NONE: not known */
	uint64_t ticks;
	/* the kernel's clock ticks since its start, all processors together */
	uint64_t cpu_busy, cpu_all;
	uint64_t running;           /* processes that run, or could */
	uint64_t memory_used;       /* bytes that are not available to other programs */
	/* since its start: page faults, those with input, context switches */
	uint64_t faults, major_faults, switches;
	uint64_t received, sent;    /* bytes since its start, all interfaces but the loopback */
};
#define SIS_SENSOR_NONE UINT64_MAX

enum sis_switched_what {
	SIS_SWITCHED_REGION = 1, /* it is not measured; region */
	SIS_SWITCHED_COUNTERS,   /* its metrics are not read; region */
	SIS_SWITCHED_TRACE,      /* nothing goes into the trace */
	SIS_SWITCHED_THREAD,     /* nothing of a thread is measured: RT_UNMEASURED; slot */
};

enum sis_cause {
	SIS_CAUSE_DISABLE = 1,   /* `measure disable` */
	SIS_CAUSE_PAUSE,         /* SIS_PAUSE */
	SIS_CAUSE_PCONTROL,      /* MPI_Pcontrol */
	SIS_CAUSE_OTHERS,        /* rules and commands that found no room of their own */
	SIS_CAUSE_FIRST = 16,    /* from here on: a `cause` line of the text chunks */
};

/* When something was off for one cause. Each time that it is switched off or on, the runtime
 * changes these numbers, so they take the same room however often that is. */
struct sis_switched {
	uint32_t what;           /* enum sis_switched_what */
	uint32_t cause;          /* enum sis_cause */
	uint32_t id;             /* the region's, or a slot */
	uint32_t reserved;
	uint64_t count;          /* how often it was switched off; 0: the rest means nothing */
	uint64_t first, last;    /* ticks when it was switched off first, and last */
	uint64_t on;             /* ticks when it was on again; less than `last`: it is off */
	uint64_t ticks;          /* while it was off; without the time since `last` if it is off */
	struct sis_switched *next; /* the runtime's */
};

/* One operation that can wait for other processes or threads, with its times. 64 bytes. */
enum sis_record_kind {
	SIS_RECORD_SEND = 1, /* blocking send begins at enter, returns at exit */
	SIS_RECORD_RECV,     /* blocking receive; peer and tag are the message's */
	/* non-blocking send or start of a persistent one; serial: its request */
	SIS_RECORD_ISEND,
	SIS_RECORD_IRECV,    /* likewise, receive; peer and tag may be wildcards until completed */
	/* request `serial` completed inside the call [enter, exit]; flags say what it was */
	SIS_RECORD_DONE,
	/* collectives: serial counts those of the communicator; BEGUN: a DONE record follows */
	SIS_RECORD_BARRIER,
	SIS_RECORD_NXN,
	SIS_RECORD_FROM_ROOT,/* peer: the root; in an intercommunicator: enum sis_record_root */
	SIS_RECORD_TO_ROOT,
	SIS_RECORD_SCAN,
	SIS_RECORD_FENCE,    /* collective on a window */
	SIS_RECORD_INIT,
	SIS_RECORD_FINALIZE,
	/* what ran between two collectives: payload of struct sis_phase_entry */
	SIS_RECORD_PHASE,
	/* one-sided, in the window `comm`, peer: the target; bytes: of the target's data */
	SIS_RECORD_PUT,
	SIS_RECORD_GET,
	SIS_RECORD_ACCUMULATE,
	SIS_RECORD_POST,     /* one for each process of the group: peer */
	SIS_RECORD_START,    /* likewise */
	SIS_RECORD_COMPLETE, /* of the processes of the last start in the window */
	/* for the processes of the last post; POLL: seen by a test, with the times of
	 * SIS_RECORD_POLLS if there were polls in vain */
	SIS_RECORD_WAIT,
	SIS_RECORD_LOCK,     /* peer: the target, -1 all of the window */
	SIS_RECORD_UNLOCK,
	SIS_RECORD_FLUSH,
	/* a thread that is in no team filled the slot from enter to exit; node: the slot's root */
	SIS_RECORD_LIFE,
	/* the thread waited for another one in a call of pthreads: for its end (20 us or more), or
	 * for a millisecond or more */
	SIS_RECORD_BLOCKED,
	/* peer and tag are those of the message that the probe found. POLL: for the tests in vain
	 * in one node, or for the test that found the message; with the times of
	 * SIS_RECORD_POLLS */
	SIS_RECORD_PROBE,
	/* all polls in vain of a request in one node, before the request was complete. serial and
	 * BEGUN: as in its DONE record. exit: the end of the last poll. exit - enter: the time in
	 * all these polls, and the time between them that is no work of the program. bytes: ticks
	 * of that time between them */
	SIS_RECORD_POLLS,
	/* collective with the neighbours in a topology, numbered like the collectives above */
	SIS_RECORD_NEIGH,
	/* collective on a file, in the communicator that opened it. serial: as above when it is
	 * opened, then beyond those of all others */
	SIS_RECORD_FILE,
	/* peer sends to this process in SIS_RECORD_NEIGH; once for each neighbour in comm */
	SIS_RECORD_NEIGHBOUR,
	/* from enter to exit, the thread was ready to run for `bytes` nanoseconds and had no
	 * processor, by the kernel's count; node: where it waited all this time, or the
	 * slot's root */
	SIS_RECORD_NOCPU,
};

/* `peer` of a collective with a root in an intercommunicator; else the root's rank in the other
 * group */
enum sis_record_root {
	SIS_ROOT_SELF = -2,  /* this process is the root */
	SIS_ROOT_BESIDE = -3 /* the root is in this process's group, which takes no other part */
};

enum sis_record_flag {
	SIS_RECORD_IS_SEND = 1,   /* DONE: of a send (else of a receive) */
	SIS_RECORD_SYNCHRONOUS = 2, /* the send waits for its receiver by definition */
	SIS_RECORD_CANCELLED = 4, /* DONE: nothing was transferred */
	SIS_RECORD_POLL = 8,      /* DONE, WAIT, PROBE: seen by a test, not by a wait */
	SIS_RECORD_SHARED = 16,   /* LOCK: a shared lock */
	/* collectives: this call only began it; DONE: of the collective of this communicator and
	 * serial */
	SIS_RECORD_BEGUN = 32,
	/* ISEND, IRECV, DONE of partitioned messages, which match only each other. ISEND: the call
	 * that made the last part ready */
	SIS_RECORD_PARTITIONED = 64,
};

struct sis_record {
	uint32_t head;          /* what the record is packed as: record.h */
	uint16_t kind;          /* enum sis_record_kind */
	uint16_t flags;         /* enum sis_record_flag */
	uint64_t enter, exit;   /* ticks; PHASE: begin and end of the phase */
	/* the call's node; PHASE: the node of the collective that ends it */
	struct sis_node *node;
	/* transferred; PHASE: bytes of payload that follow, a multiple of 64 */
	uint64_t bytes;
	uint64_t serial;        /* request or collective number; PHASE: number of entries */
	uint32_t comm;          /* id of a communicator: struct sis_profile_comm */
	int32_t peer;           /* rank in comm; -1: none or any */
	int32_t tag;            /* -1: none or any */
	uint32_t reserved;
};

struct sis_phase_entry { /* a node that was active in the phase */
	struct sis_node *node;
	uint64_t ticks;         /* exclusive, within the phase */
};

struct sis_profile_unit { /* followed by `length` bytes of JSON, see idf.schema.json */
	/* the id at run time of the unit's region 0; region k has first_id + k */
	uint32_t first_id;
	uint32_t count;
	uint64_t length;
};

struct sis_profile_comm { /* followed by `size` world ranks unless it is the world */
	uint32_t id;            /* in this process */
	uint32_t size;
	uint32_t rank;          /* this process in it */
	/* world rank of its rank 0: with `number`, its name in the whole run; UINT32_MAX: it has no
	 * name, and its records are not matched */
	uint32_t leader;
	uint64_t number;        /* the same for all members; 0 the world */
	uint32_t is_world;
	uint32_t is_inter;
	/* id of the communicator it was made from; UINT32_MAX none. The other side of an
	 * intercommunicator has the next id, no leader, and the communicator as its parent */
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

/* The checksum of a payload: eight bytes at a time, the tail padded with zeros. It finds damage,
 * not malice. */
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
