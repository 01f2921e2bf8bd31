/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.h - shared by idle.c and idle_threads.c: which PUs of a process worked while another one was
 * idle, and where. */
#ifndef SIS_ANALYSIS_IDLE_H
#define SIS_ANALYSIS_IDLE_H

#include "model/experiment.h"

enum idle_step { IDLE_ENDS, IDLE_GOES_ON, IDLE_LEAVES, IDLE_BEGINS, IDLE_BLOCKS, IDLE_ENTERS };
/* place: where the PU is from now on */
struct idle_moment { int64_t time; enum idle_step step; uint32_t slot, place, depth; };

/* A place is a part of a PU's tree, and its index is that of a node of the profile. Either the node
 * was entered once, so it is known when the PU was there, or the node is a root. The nodes below
 * belong to the place if they are in no other place. The number of nodes, as an index, stands for
 * an unknown place, which counts as one of the initial thread. */
struct idle_threads { /* of one process */
	const struct process *process;
	bool *known;             /* by slot: whether it is known when threads filled it */
	uint32_t *place;         /* of each node */
	VEC(struct idle_moment) moment; /* in the order of their times */
	/* for the last slot asked: ns of its idle time, by the place where another PU worked
	 * meanwhile */
	int64_t *alone;          /* only that PU worked */
	int64_t *among;          /* several worked: each one's part of the time */
	/* by slot, during the search */
	struct idle_pu { uint32_t place; int alive, blocked; int64_t since; } *pu;
};

void idle_threads_init(struct idle_threads *t, const struct process *process);
void idle_threads_release(struct idle_threads *t);
/* Fills `alone` and `among` for a slot that is known. */
void idle_threads_beside(struct idle_threads *t, uint32_t slot);

#endif
