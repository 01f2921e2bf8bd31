/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - what the threads of traced processes did when: the node of each thread at every
 * moment, its waits, and the times in which it was a member of a team.
 *
 * Times are nanoseconds, as in the experiment. */
#ifndef SIS_ANALYSIS_TIMELINE_H
#define SIS_ANALYSIS_TIMELINE_H

#include "experiment/read/trace_files.h"
#include "experiment/timeline/team_parts.h"

/* A wait of a thread for other threads of its process. If tasks interrupted a wait, there is a span
 * for each part of it. */
struct wait_span {
	uint32_t slot, node;
	int64_t enter, leave;
	/* part: index of the thread's part of a team; barrier: number of the barrier in this part,
	 * from 1 on; 0: not at a barrier */
	uint32_t part, barrier;
};

enum timeline_gap { /* why events are missing */
	GAP_NO_TRACE, /* there is no trace, or it cannot be read */
	GAP_DAMAGED,  /* a block is damaged, or is not there */
	GAP_DROPPED,  /* the runtime dropped events */
	GAP_PAUSED,   /* the trace was off for a time */
	GAP_TOO_MANY, /* there are more waits than can be kept */
	GAPS
};
struct timeline_block;
struct timeline_lane {
	VEC(struct timeline_block) block;
	/* up to this time it is known what the thread did. This is the end of the process or, if
	 * events may be missing at the end, the time of the last event */
	int64_t end;
	bool whole;          /* no event is missing */
};
struct process_timelines {
	const struct process *process;
	struct trace *trace; /* NULL: there is none */
	struct trace_nodes nodes;
	struct timeline_lane *lane; /* of each slot */
	/* when the process began or, if the trace was switched on later, when it was switched on */
	int64_t begin;
	VEC(uint32_t) open;  /* nodes that were open at the begin of blocks */
	bool *waits;         /* by node: whether it is a wait for threads of its process */
	team_parts part;
	VEC(struct wait_span) span; /* sorted by slot and time */
	/* a bit for each timeline_gap; 0: `part` and `span` are complete */
	unsigned gaps;
};
struct timeline_cache;
struct timelines {
	const struct experiment *x;
	struct traces traces;
	struct process_timelines *process; /* of each process of the experiment */
	struct timeline_cache *cache;
};

/* Reads the traces in the experiment's directory. Warns of traces that are damaged or missing. */
void timelines_init(struct timelines *t, const struct experiment *x, warning_list *warnings);
void timelines_release(struct timelines *t);

/* Whether all waits and teams of the process are known. */
bool timelines_whole(const struct timelines *t, uint32_t process);
/* Whether the timeline of the thread is complete from `from` to `to`. */
bool timeline_covers(const struct timelines *t, uint32_t process, uint32_t slot, int64_t from,
		     int64_t to);
/* The thread was in `node` of the process's profile from `from` to `to`. node NONE: the node is not
 * known. */
typedef void timeline_fn(void *arg, uint32_t node, int64_t from, int64_t to);
/* Calls `take` for the nodes of the thread from `from` to `to`, in the order of time, without
 * gaps. */
void timeline_for_each(const struct timelines *t, uint32_t process, uint32_t slot, int64_t from,
		       int64_t to, timeline_fn *take, void *arg);
/* The cost of timeline_for_each so far: the number of segments that were read again, and of calls
 * of `take`. For tests. */
uint64_t timelines_steps(const struct timelines *t);

#endif
