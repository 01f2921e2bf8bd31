/* SPDX-License-Identifier: BSD-3-Clause */
/* activations.h - reads the traces of an experiment as activations of nodes of its call graph,
 * thread by thread. trace_walk.h gives only the ids of regions. */
#ifndef SIS_ANALYSIS_ACTIVATIONS_H
#define SIS_ANALYSIS_ACTIVATIONS_H

#include "experiment/read/trace_files.h"
#include "experiment/timeline/team_parts.h"

struct activation {
	uint32_t id;             /* of the region in the trace */
	uint32_t region, node;   /* of the experiment; NONE: not known */
	uint32_t parent;         /* node of the activation around it, or root; NONE: not known */
	int64_t enter_ns;
	/* the activation's begin is known. False if it began in a gap, or before the part that is
	 * read */
	bool begins;
	/* an outer activation belongs to the same node, and contains the time of this one */
	bool node_is_open;
};

/* The functions of a reader, in the order in which they are called. Times are nanoseconds, as in
 * the experiment. The times of a unit do not decrease. Each activation that is entered is left. */
struct activation_reader {
	void (*process)(void *self, const struct process *process,
			const struct trace *trace); /* may be NULL */
	void (*unit)(void *self, uint32_t pu);
	/* Between two events the thread was in `a` or, if `a` is NULL, outside of all activations.
	 * The times from..to of successive calls are contiguous, and cover the life of the process.
	 * is_known: if `a` is NULL, whether it is sure that the thread was in no region. May be
	 * NULL */
	void (*time)(void *self, const struct activation *a, bool is_known, int64_t from,
		     int64_t to);
	void (*enter)(void *self, const struct activation *a, int64_t ns); /* may be NULL */
	void (*leave)(void *self, const struct activation *a, int64_t ns); /* may be NULL */
	/* From now on it is not known what the thread does; may be NULL */
	void (*pause)(void *self, int64_t ns);
	/* The thread's events begin, or continue after a gap or a pause. some_open: whether any
	 * region is open. May be NULL */
	void (*resume)(void *self, bool some_open, int64_t ns);
	void (*end_unit)(void *self); /* may be NULL */
	/* teams: the parts of teams of all threads of the process; may be NULL */
	void (*end_process)(void *self, const team_parts *teams);
};

/* Reads the events from `from_ns` to `to_ns` after the begin of the run, and perhaps earlier
 * events. Returns the number of traces without a profile, which are left out. */
uint64_t activations_read(const struct experiment *x, struct traces *traces, int64_t from_ns,
			  int64_t to_ns, const struct activation_reader *reader, void *self);

#endif
