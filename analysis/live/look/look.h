/* SPDX-License-Identifier: BSD-3-Clause */
/* look.h - the result of one look at a run: where the time of each processing unit went so far. */
#ifndef SIS_ANALYSIS_LOOK_H
#define SIS_ANALYSIS_LOOK_H

#include "live/look/names.h"

/* The part of a processing unit's exclusive time in a node that belongs to a leaf. If `leaf` is
 * O_NONE, the part is useful work. Each node of a unit has a cell of useful work, because only this
 * cell has the number of calls. */
struct live_cell {
	uint32_t node, pu;       /* numbers in live_names */
	enum sis_overhead leaf;
	int64_t ns;
	uint64_t calls;
};

struct live_pu_state {
	uint32_t pu;             /* number in live_names */
	uint32_t process, slot;  /* process: its rank, or without MPI, its number in this look */
	bool runs;               /* whether its process runs */
	bool idle;               /* whether it has no thread now */
	uint32_t node;           /* the node in which it is, or NONE if it is not known */
	int64_t since_ns;        /* how long it has been there; negative if it is not known */
	int64_t age_ns;          /* time since its last probe; negative if it is not known */
	int64_t useful_ns, leaves_ns; /* their sum is the wall time of the run */
};

struct live_look {
	int64_t t_p_ns;          /* wall time of the run up to now */
	int64_t start_ns, realtime_ns; /* start of the run; time of day of this look */
	int64_t cost_ns;         /* CPU time that the look took */
	int64_t error_ns;        /* the largest error of a unit's identity */
	uint32_t processes, running, hosts;
	VEC(struct live_cell) cell;
	VEC(struct live_pu_state) pu;
};

/* Fills a look from a classified experiment. */
void live_look_take(struct live_look *look, struct live_names *names, const struct experiment *x);
void live_look_release(struct live_look *look);

#endif
