/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.h - which PUs of a process worked while another PU was idle, and in which part of their
 * tree. Shared by idle.c and idle_threads.c. */
#ifndef SIS_ANALYSIS_IDLE_H
#define SIS_ANALYSIS_IDLE_H

#include "experiment/model/experiment.h"

enum idle_step { IDLE_ENDS, IDLE_GOES_ON, IDLE_LEAVES, IDLE_BEGINS, IDLE_BLOCKS, IDLE_ENTERS };
/* An event of a PU. top: identifies the part of the tree in which the PU is after the event. */
struct idle_moment { int64_t time; enum idle_step step; uint32_t slot, top, depth; };

/* The tree of a PU is divided into parts. The top of a part is a root, or a node that was entered
 * only once, so that the time in this part is known. A node belongs to the part of the nearest top
 * above it. A part is identified by the index of its top. An unknown part has the number of nodes
 * as its index. It counts as a part of the initial thread. */
struct idle_threads { /* the threads of one process */
	const struct process *process;
	bool *known;             /* by slot: whether it is known when threads filled the slot */
	uint32_t *top;           /* by node: the top of the part that the node belongs to */
	VEC(struct idle_moment) moment; /* in the order of their times */
	/* result of idle_threads_beside: the slot's idle time in ns, by the part of the tree (its
	 * top) in which another PU worked meanwhile */
	int64_t *alone;          /* only this other PU worked */
	int64_t *among;          /* several PUs worked, and the time is divided among them */
	/* by slot, during idle_threads_beside */
	struct idle_pu { uint32_t top; int alive, blocked; int64_t since; } *pu;
};

void idle_threads_init(struct idle_threads *t, const struct process *process);
void idle_threads_release(struct idle_threads *t);
/* Fills `alone` and `among` for a slot that is `known`. */
void idle_threads_beside(struct idle_threads *t, uint32_t slot);

#endif
