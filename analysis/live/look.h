/* SPDX-License-Identifier: BSD-3-Clause */
/* look.h - what one look at a run found: where the time of each processing unit went so far. */
#ifndef SIS_ANALYSIS_LOOK_H
#define SIS_ANALYSIS_LOOK_H

#include "live/names.h"

/* Time of a processing unit in a node, without what the node calls: as a leaf, or O_NONE, as useful
 * work. The cell of useful work also has the calls, so that each node of a unit has one. */
struct live_cell {
	uint32_t node, pu;       /* of live_names */
	enum sis_overhead leaf;
	int64_t ns;
	uint64_t calls;
};

struct live_pu_state {
	uint32_t pu;             /* of live_names */
	uint32_t process, slot;  /* process: its number in this look; its rank, in an MPI program */
	bool runs;               /* its process does */
	bool idle;               /* no thread fills it */
	uint32_t node;           /* where it is; NONE: not known */
	int64_t since_ns;        /* how long it has been there; negative: not known */
	int64_t age_ns;          /* since its last probe; negative: not known */
	int64_t useful_ns, leaves_ns; /* together the wall time of the run */
};

struct live_look {
	int64_t t_p_ns;          /* wall time of the run up to now */
	int64_t start_ns, realtime_ns; /* start of the run; this look, by the clock of day */
	int64_t cost_ns;         /* CPU time that the look took */
	int64_t error_ns;        /* largest time by which the account of a unit does not add up */
	uint32_t processes, running, hosts;
	VEC(struct live_cell) cell;
	VEC(struct live_pu_state) pu;
};

/* Takes what a look needs from a classified experiment. */
void live_look_take(struct live_look *look, struct live_names *names, const struct experiment *x);
void live_look_release(struct live_look *look);

#endif
