/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks.h - the format of the samples of a process (SIS_BLAME), byte by byte.
 *
 * Each process has one file, `stacks-<host>-<pid>.sis`, beside its profile (profile.h). The file is
 * mapped shared and written in place, as the profile is. So whatever stops the process, the samples
 * are in the file.
 *
 *      offset 0        +----------------------------+
 *                      | struct sis_stacks_header   |  SIS_PAGE bytes
 *      SIS_PAGE        +----------------------------+
 *                      | chunk: struct sis_chunk,   |  a multiple of SIS_PAGE bytes; the chunk
 *                      | payload                    |  header is that of the profile
 *                      +----------------------------+
 *                      | chunk ...                  |  to header.size; bytes after it mean nothing
 *                      +----------------------------+
 *
 * Chunk kinds (other numbers than the profile's) and their payloads, `used` bytes of each:
 *   SIS_CHUNK_STACKS        stacks, one after the other: struct sis_stack and its PCs
 *   SIS_CHUNK_MODULES       modules, one after the other: struct sis_stacks_module and its path
 *   SIS_CHUNK_SAMPLED       an array of struct sis_sampled: the threads that wrote stacks
 *   SIS_CHUNK_MEMORY        an array of struct sis_memory: allocated memory, by call path
 *   SIS_CHUNK_ACCESSES      an array of struct sis_access: the memory that samples accessed
 *   SIS_CHUNK_MOMENTS       an array of struct sis_moments: when samples were taken
 *   SIS_CHUNK_PERF_MAP      the program's perf map at its end: a text whose lines `START SIZE NAME`
 *                        (hexadecimal numbers) name the functions that the program has generated.
 *                        It may be cut. Later lines are about newer code
 *   SIS_CHUNK_STACKS_TEXT   NUL-ended lines, `kind<TAB>text`, kinds:
 *                        method<TAB>text   why this method was used, for users
 *                        warning<TAB>text  a warning to the user
 *
 * All integers are in the byte order of the writer. Time is in ticks of header.clock, as in the
 * profile. The file belongs to the profile with the same run_id, host, pid and start.
 *
 * A stack is one record for all samples that are equal in slot, node, origin, kind, flags and PCs,
 * and that were taken by the same thread: a thread samples itself, or the runtime's thread samples
 * others. So records of two threads may be equal.
 *
 *      pc[0]     where the thread was            A PC with SIS_PC_EXACT is that of the instruction
 *      pc[1]     return address in its caller    that was interrupted. A PC without it is a return
 *      ...                                       address: the call is before it
 *      pc[frames - 1]   the outermost
 *
 * The stack of a member of a team begins at the start of the member's thread. `origin` is the
 * offset in this file of another stack (kind SIS_STACK_ORIGIN). It is the stack of the thread that
 * made the team, at the moment when it made the team. Its innermost PCs are in the runtime, up to
 * the call that forked. The origin may have an origin itself.
 *
 * The origin of a thread that the program creates is the stack of the calling thread, from the
 * return address of the call that created the thread. There is no origin if the calling thread was
 * not sampled.
 *
 * The outermost frame in the stack of a task is the frame of OpenMP's runtime that called the
 * task's function, wherever the task was executed. The origin of this stack is the stack of the
 * thread that created the task, from the return address of the creating call. If the task was
 * created in another task, the origin has such an outermost frame, too, and an origin itself. If a
 * task is created at the same place as a task around it, both have the origin of the outer one. If
 * the origin is not known, or if the task was executed where it was created, the task does not
 * change the stack of the thread.
 *
 * Reading: readers must check everything. header.state says whether the process ended. In the state
 * SIS_STATE_ENDED, the chunks have checksums. In any other state the file is a snapshot: `used` may
 * be one item behind, and the weight of a stack one sample behind. A stack with `size` 0 ends its
 * chunk. A chunk without its magic ends the file. Readers skip kinds that they do not know.
 */
#ifndef SIS_SCHEMA_STACKS_H
#define SIS_SCHEMA_STACKS_H

#include "profile.h"

#define SIS_STACKS_MAGIC "SISTK\x1a\n" /* 7 characters and the NUL */
#define SIS_STACKS_VERSION 3u

/* The methods by which samples are taken. */
enum sis_stacks_method {
	/* one sample for every `rate` events that PAPI names, on the average, in user code */
	SIS_METHOD_PAPI = 1,
	SIS_METHOD_CLOCK = 2, /* perf_event's clock of CPU time: `rate` samples per second, in user
	                       * code */
	/* a thread of the runtime looks `rate` times per second; samples have a node and no PC */
	SIS_METHOD_LOOK = 3,
	/* each thread has a timer of its CPU time: `rate` samples per second, in user code and in
	 * the kernel, at most one per tick of the kernel */
	SIS_METHOD_TIMER = 4,
};

struct sis_stacks_header {
	char magic[8];            /* SIS_STACKS_MAGIC */
	uint32_t version;         /* SIS_STACKS_VERSION */
	uint32_t endian;          /* SIS_PROFILE_ENDIAN */
	uint32_t pid;
	int32_t mpi_rank;         /* -1: the rank was not known when the file was made */
	uint32_t state;           /* enum sis_state: SIS_STATE_RUNNING or SIS_STATE_ENDED */
	uint32_t clock;           /* enum sis_clock */
	uint64_t size;            /* bytes in use */
	uint64_t ticks_per_second;
	struct sis_time_mark start, end; /* of the process; `end` is set in SIS_STATE_ENDED only */
	uint32_t method;          /* enum sis_stacks_method, for samples of kind
	                           * SIS_STACK_RUNNING */
	/* bit number SIS_STACK_BLOCKED is set if threads that do not run are sampled, too */
	uint32_t kinds;
	/* METHOD_PAPI: events between two samples, on the average. Else samples per second: of CPU
	 * time or, for SIS_STACK_BLOCKED, of wall time */
	uint64_t rate;
	char metric[64];          /* WTIME, or the name of a PAPI event */
	char host[64];
	char run_id[64];          /* as in the profile */
	/* allocations of at least so many bytes are recorded; 0: no allocations are recorded */
	uint64_t least_bytes;
	uint64_t memory_lost;     /* allocations that are missing because there was no room;
	                           * accesses to these blocks are of kind OTHER */
};

enum {
	SIS_CHUNK_STACKS = 0x101,
	SIS_CHUNK_MODULES,
	SIS_CHUNK_SAMPLED,
	SIS_CHUNK_STACKS_TEXT = SIS_CHUNK_SAMPLED + 2,
	SIS_CHUNK_MEMORY,
	SIS_CHUNK_ACCESSES,
	SIS_CHUNK_MOMENTS,
	SIS_CHUNK_PERF_MAP,
};

enum sis_stack_kind {
	SIS_STACK_RUNNING = 1, /* samples of a thread that used the processor */
	SIS_STACK_BLOCKED,     /* samples of a thread that was waiting */
	SIS_STACK_ORIGIN,      /* no samples (count 0): where a team, task or thread was made */
	/* no samples: where memory was allocated. pc[0] is the return address of the call of malloc
	 * or a similar routine; the wrappers are no part of the stack */
	SIS_STACK_ALLOCATION,
};

enum sis_stack_flag {
	/* outer frames are missing: the stack is deeper than SIS_STACK_FRAMES, or the frames
	 * outside of the last PC were not found */
	SIS_STACK_TRUNCATED = 1,
	/* the runtime was interrupted while it changed the current node: `node` is the one before
	 * or after the change */
	SIS_STACK_INSIDE = 2,
	/* the stack may be wrong, for one of two reasons. A function has no unwinding information,
	 * so its caller was found by the frame pointer; if the function does not set one, its
	 * caller is missing. Or the thread waited, so the frame pointer was not known in the first
	 * function that uses one; then the nearest return address in memory that may follow a call
	 * of this function was taken */
	SIS_STACK_GUESSED = 4,
};

#define SIS_STACK_FRAMES 128u
#define SIS_PC_EXACT 0x8000000000000000u

struct sis_stack {
	uint32_t size;    /* bytes of the record with its PCs: 48 + 8 * frames */
	uint16_t frames;  /* 0: no PC is known */
	uint8_t kind;     /* enum sis_stack_kind */
	uint8_t flags;    /* enum sis_stack_flag */
	uint32_t slot;    /* slot of the thread, as in the profile; SIS_NO_SLOT: the thread has
	                   * none, such as a worker of OpenMP between two teams */
	uint32_t reserved;
	/* address of the thread's current node in the profile; 0: none, for example in the origin
	 * of a task */
	uint64_t node;
	uint64_t origin;  /* offset of a stack in this file; 0: the stack is complete, or unknown */
	uint64_t count;   /* number of samples; if several periods ended at once, each counts */
	uint64_t weight;  /* nanoseconds of the samples; with METHOD_PAPI and kind RUNNING:
	                   * events */
	uint64_t pc[];
};

/* An executable segment of the program or a library, which was loaded from address `start` to
 * `end`. Modules may have had the same addresses at different times. Samples do not say when they
 * were taken, so the module of such an address is not certain. */
struct sis_stacks_module {
	uint32_t size;        /* bytes of the record with its path, a multiple of 8 */
	uint16_t path_length; /* bytes after this struct, without a NUL; "[vdso]" has no file */
	uint16_t id_length;   /* bytes of the build id; 0: there is no build id */
	uint64_t start, end;
	uint64_t offset;      /* position of `start` in the file */
	uint64_t bias;        /* address - bias is the address in the file's symbols */
	uint64_t from, to;    /* ticks when the module was seen first, and when it was gone; `to` is
	                       * 0 if it is not gone */
	/* size and time of the file when the module was seen first; 0: not known */
	uint64_t file_bytes, file_mtime_ns;
	uint8_t id[32];       /* build id, cut if longer */
};

/* The threads that sample themselves and use this record one after the other. With tid 0: the looks
 * of the runtime's thread. */
struct sis_sampled {
	uint32_t tid;         /* tid of the last thread */
	uint32_t reserved;
	uint64_t from, to;    /* ticks when the first thread began, and when the last one ended;
	                       * `to` is 0 if the last one still lives */
	uint64_t samples;     /* number of samples in the threads' stacks */
	uint64_t weight;      /* weight of these samples */
	uint64_t lost;        /* number of samples that are in no stack because there was no room */
	uint64_t unknown;     /* number of `samples` that have only one PC, because the stack is not
	                       * known */
	/* nanoseconds in the runtime's signal handler for samples: the sum, and the longest */
	uint64_t handler_ns, handler_most_ns;
};

/* When samples were taken: those of a writer that came one after the other and are of the same
 * stack, without a long pause. There may be samples whose moment is not recorded. */
struct sis_moments {
	uint64_t first, last; /* ticks of the first and of the last of these samples */
	uint32_t stack;       /* offset of the stack in this file; 0: the other members mean nothing
	                       */
	uint32_t count;       /* number of samples */
};

/* Memory of one kind that was allocated at one place: by the calls of malloc, mmap and similar
 * routines that have the same stack. Allocations smaller than header.least_bytes are not
 * included. */
enum sis_memory_kind { SIS_MEMORY_HEAP = 1, SIS_MEMORY_MAPPING };

struct sis_memory {
	uint64_t stack;       /* offset of a stack of kind SIS_STACK_ALLOCATION; 0: not known */
	uint32_t kind;        /* enum sis_memory_kind; 0: the other members mean nothing */
	uint32_t reserved;
	uint64_t allocations; /* number of allocations, including blocks that moved in a realloc */
	uint64_t freed;       /* number of allocations that were freed, including blocks that moved,
	                       * and blocks whose address was allocated again */
	uint64_t bytes;       /* sum of the bytes of all allocations */
	uint64_t alive, most; /* bytes that are not freed, and the most such bytes at one time */
	uint64_t largest;     /* bytes of the largest allocation */
	uint64_t from, to;    /* ticks of the first allocation, and of the last free */
	uint64_t life;        /* ticks from allocation to free, summed over all that were freed */
};

/* The memory that samples access: at most one address for each sample. An interrupt comes when the
 * instruction for which the processor waited is complete. So the address is the one that the
 * instruction before the interrupted one accessed. If that instruction accesses no memory or is not
 * known, the address is that of the interrupted instruction's access. Only samples of kind
 * SIS_STACK_RUNNING of threads that sample themselves are recorded. Every such sample that was not
 * lost is in one of the records. */
enum sis_access_kind {
	SIS_ACCESS_NONE = 1,     /* the instructions access no memory */
	/* the address cannot be computed, or the index of allocations was being changed, or there
	 * was no room for the record. In the last case node is 0 */
	SIS_ACCESS_UNKNOWN,
	SIS_ACCESS_ALLOCATED,    /* place: offset of a struct sis_memory in this file */
	SIS_ACCESS_STATIC,       /* data of a module. place: the address */
	SIS_ACCESS_STACK,        /* in the thread's own stack. place: the PC of the frame, as in
	                          * struct sis_stack; offset: from the frame's canonical frame
	                          * address */
	SIS_ACCESS_THREAD_LOCAL, /* offset: from the thread pointer */
	SIS_ACCESS_OTHER,        /* small allocations, memory of libraries, other threads' stacks */
};

enum sis_access_flag {
	/* there are too many addresses, so this one is rounded down to a multiple of SIS_PAGE:
	 * place of STATIC, offset of STACK and THREAD_LOCAL */
	SIS_ACCESS_COARSE = 1
};

/* One record for all samples that are equal in all but count and weight. */
struct sis_access {
	uint64_t node;        /* address of the thread's current node in the profile; 0: none */
	uint64_t place;
	int64_t offset;
	uint32_t slot;        /* slot of the thread; SIS_NO_SLOT: none */
	uint16_t kind;        /* enum sis_access_kind; 0: the other members mean nothing */
	uint16_t flags;       /* enum sis_access_flag */
	uint64_t count;       /* number of samples */
	uint64_t weight;      /* as in struct sis_stack */
};

_Static_assert(sizeof(struct sis_stacks_header) <= SIS_PAGE, "the header fits its page");
_Static_assert(sizeof(struct sis_stack) == 48, "a stack costs 48 bytes and 8 for each frame");
_Static_assert(sizeof(struct sis_stacks_module) % 8 == 0 && sizeof(struct sis_sampled) == 72 &&
	       sizeof(struct sis_memory) == 88 && sizeof(struct sis_access) == 48 &&
	       sizeof(struct sis_moments) == 24,
	       "records of the file");

#endif
