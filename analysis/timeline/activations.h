/* SPDX-License-Identifier: BSD-3-Clause */
/* activations.h - the traces of an experiment as activations of nodes of its call graph, thread by
 * thread. trace_walk.h gives ids of regions; this finds the nodes. */
#ifndef SIS_ANALYSIS_ACTIVATIONS_H
#define SIS_ANALYSIS_ACTIVATIONS_H

#include "read/trace_files.h"
#include "timeline/team_parts.h"

struct activation {
	uint32_t id;             /* of the region in the trace */
	uint32_t region, node;   /* of the experiment; NONE: not known */
	uint32_t parent;         /* node of the activation around it, or the root; NONE likewise */
	/* The node is also open further up, so the time is part of that of another activation. */
	bool node_is_open;
};

/* The functions of a reader, in the order in which they are called. Times are nanoseconds, as in
 * the experiment; those of a unit do not decrease. Each activation that is entered is left. */
struct activation_reader {
	void (*process)(void *self, const struct process *process,
			const struct trace *trace); /* may be NULL */
	void (*unit)(void *self, uint32_t pu);
	/* begins: false if it began before the part that is read, or where events are missing */
	void (*enter)(void *self, const struct activation *a, int64_t ns, bool begins);
	void (*leave)(void *self, const struct activation *a, int64_t ns);
	/* From now on it is not known what the thread does; may be NULL ... */
	void (*pause)(void *self, int64_t ns);
	/* ... or it is known again, or for the first time. knows_outer: false if regions are open
	 * that the trace does not name; some_open: whether any region is open; may be NULL */
	void (*resume)(void *self, bool knows_outer, bool some_open, int64_t ns);
	void (*end_unit)(void *self);
	/* teams: of all threads of the process, with their forks; may be NULL */
	void (*end_process)(void *self, const team_parts *teams);
};

/* Reads what happened from `from_ns` to `to_ns` after the begin of the run; it may begin earlier.
 * Returns the number of traces without a profile, which are left out. */
uint64_t activations_read(const struct experiment *x, struct traces *traces, int64_t from_ns,
			  int64_t to_ns, const struct activation_reader *reader, void *self);

#endif
