/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - what the threads of traced processes did when: in which node each was at every
 * moment, where it waited, and when it was a member of a team.
 *
 * Times are nanoseconds, as in the experiment. */
#ifndef SIS_ANALYSIS_TIMELINE_H
#define SIS_ANALYSIS_TIMELINE_H

#include "read/trace_files.h"
#include "timeline/team_parts.h"

/* A thread waited in the node, which is none of MPI. A wait that tasks interrupted is several. */
struct wait_span {
	uint32_t slot, node;
	int64_t enter, leave;
	/* at which barrier of its part of the team, from 1 on; 0: not at a barrier */
	uint32_t part, barrier;
};

enum timeline_gap { /* why events are missing */
	GAP_NO_TRACE, /* there is no trace, or it cannot be read */
	GAP_DAMAGED,  /* a block is damaged, or is not there */
	GAP_DROPPED,  /* the runtime did not keep them */
	GAP_PAUSED,   /* the trace was not on */
	GAP_TOO_MANY, /* there are more waits than can be kept */
	GAPS
};
struct timeline_block;
struct timeline_lane {
	VEC(struct timeline_block) block;
	/* the thread stays in the node of the last event until here; the time of that event, if
	 * events may be missing after it */
	int64_t end;
	bool whole;          /* no event is missing */
};
struct process_timelines {
	const struct process *process;
	struct trace *trace; /* NULL: there is none */
	struct trace_nodes nodes;
	struct timeline_lane *lane; /* of each slot */
	/* the begin of the process, or when the trace was switched on, if that was later */
	int64_t begin;
	VEC(uint32_t) open;  /* nodes open at the begin of blocks */
	bool *waits;         /* by node: a wait for other threads of the process */
	team_parts part;
	VEC(struct wait_span) span; /* by slot and time */
	/* a bit for each reason why events are missing; 0: `part` and `span` are complete */
	unsigned gaps;
};
struct timeline_cache;
struct timelines {
	const struct experiment *x;
	struct traces traces;
	struct process_timelines *process; /* of each process of the experiment */
	struct timeline_cache *cache;
};

/* Reads the traces in the experiment's directory. What is wrong with them becomes a warning. */
void timelines_init(struct timelines *t, const struct experiment *x, warning_list *warnings);
void timelines_release(struct timelines *t);

/* Whether all waits and teams of the process are known. */
bool timelines_whole(const struct timelines *t, uint32_t process);
/* Whether it is known for the whole interval what the thread did. */
bool timeline_covers(const struct timelines *t, uint32_t process, uint32_t slot, int64_t from,
		     int64_t to);
/* `node` of the process's profile from `from` to `to`; NONE: not known. */
typedef void timeline_fn(void *arg, uint32_t node, int64_t from, int64_t to);
/* The parts of an interval, in order; together they are the interval. */
void timeline_for_each(const struct timelines *t, uint32_t process, uint32_t slot, int64_t from,
		       int64_t to, timeline_fn *take, void *arg);
/* What all questions cost so far: events that were read again, and parts that were given. */
uint64_t timelines_steps(const struct timelines *t);

#endif
