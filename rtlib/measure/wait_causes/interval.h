/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.h - where the members of a team were between two barriers, and why they waited at the
 * second barrier.
 *
 * The culprit of all waits is the thread that came last. The wait of another thread is charged to
 * the nodes in which the culprit spent more time than this thread since the barrier before: to the
 * culprit's work, and to the time in which it was ready to run and had no processor. Only intervals
 * of 1 ms or more are examined, because this takes up to a microsecond. */
#ifndef SIS_INTERVAL_H
#define SIS_INTERVAL_H

#include "measure/wait_causes/culprit.h"

#pragma GCC visibility push(hidden)

enum { SIS_INTERVAL_NODES = 16 };

struct sis_spent { /* exclusive time */
	struct sis_node *node;
	uint64_t path;     /* a number of the call path, the same in the trees of all members */
	uint64_t ticks;
};
struct sis_interval {  /* of one member; other members read it while they are at the same barrier */
	/* Ticks: the member's arrival at the barrier. If this is another time, the struct is of an
	 * earlier interval: the last interval was short. */
	uint64_t to;
	uint64_t lack;     /* ticks without a processor in the nodes of `spent` and in others */
	uint64_t late;     /* ticks without a processor at the begin of the interval, ... */
	struct sis_node *late_in; /* ... still in this node, the wait at the barrier before */
	uint32_t nodes;    /* elements of `spent` in use */
	struct sis_spent spent[SIS_INTERVAL_NODES]; /* the longest times */
	uint64_t others;   /* ticks in all other nodes together */
};

/* Returns the length, in ticks, below which intervals and waits are not examined. */
uint64_t sis__interval_shortest(void);
void sis__intervals_restart(const struct sis_thread *thread); /* in a forked child */
/* The thread begins as a member of a team. `top` is the node of the team in its tree. */
void sis__interval_begin(const struct sis_thread *thread, const struct sis_node *top);
/* The thread comes to a barrier at interval->to. Fills in the nodes in which it was, with their
 * times since the last look, which was at `last`. */
void sis__interval_look(struct sis_thread *thread, const struct sis_node *top, uint64_t last,
			struct sis_interval *interval);
/* The thread waited `ticks` in `wait` for slot `slot`, whose interval is `last`. `own` is the
 * thread's own interval; NULL: it was short. */
void sis__interval_charge(struct sis_thread *thread, struct sis_node *wait, uint64_t ticks,
			  uint32_t slot, const struct sis_interval *last,
			  const struct sis_interval *own);

#pragma GCC visibility pop
#endif
