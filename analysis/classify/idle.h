/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.h - what idle.c and idle_threads.c share: which of a process's units worked while another
 * one was idle, and where. */
#ifndef SIS_ANALYSIS_IDLE_H
#define SIS_ANALYSIS_IDLE_H

#include "model/experiment.h"

enum idle_step { IDLE_ENDS, IDLE_GOES_ON, IDLE_LEAVES, IDLE_BEGINS, IDLE_BLOCKS, IDLE_ENTERS };
/* place: where the unit is from now on */
struct idle_moment { int64_t time; enum idle_step step; uint32_t slot, place, depth; };

/* A place is a node of the profile that was entered once, so that it is known when the unit was
 * there, with all below it that is in no other one; or a root; or, by the number of nodes, nowhere
 * in the initial thread. */
struct idle_threads { /* of one process */
	const struct process *process;
	bool *known;             /* by slot: when threads filled it */
	uint32_t *place;         /* of each node */
	VEC(struct idle_moment) moment; /* in the order of their times */
	/* of the slot that was asked for last, ns of its idle time by the place where another unit
	 * worked meanwhile */
	int64_t *alone;          /* that one only */
	int64_t *among;          /* that one and others, each its part of the time */
	/* by slot, while it is looked for */
	struct idle_pu { uint32_t place; int alive, blocked; int64_t since; } *pu;
};

void idle_threads_init(struct idle_threads *t, const struct process *process);
void idle_threads_release(struct idle_threads *t);
/* Fills alone and among for a slot that is known. */
void idle_threads_beside(struct idle_threads *t, uint32_t slot);

#endif
