/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.h - where the members of a team were between two barriers, and who made whom wait at the
 * second one.
 *
 * Of a thread that came last, the wait of another one is charged to the nodes in which it spent
 * more time than that one, both since the barrier before: to its work, and to the time in which it
 * was ready to run and had no processor. An interval is looked at if it is a thousandth of a second
 * or longer, because a look takes up to a microsecond. */
#ifndef SIS_INTERVAL_H
#define SIS_INTERVAL_H

#include "wait_causes/culprit.h"

#pragma GCC visibility push(hidden)

enum { SIS_INTERVAL_NODES = 16 };

struct sis_spent {     /* without the nodes below it */
	struct sis_node *node;
	uint64_t path;     /* the same for one call path in the trees of all members */
	uint64_t ticks;
};
struct sis_interval {  /* of one member; the others read it while they are at the same barrier */
	uint64_t to;       /* ticks: its arrival. Another one: the interval was short */
	uint64_t lack;     /* ticks in the nodes, ready to run without a processor */
	uint64_t late;     /* the same at its begin, ... */
	struct sis_node *late_in; /* ... in the wait at the barrier before */
	uint32_t nodes;
	struct sis_spent spent[SIS_INTERVAL_NODES]; /* the longest times */
	uint64_t others;   /* ticks in all other nodes together */
};

/* Ticks: intervals and waits below are not looked at. */
uint64_t sis__interval_shortest(void);
void sis__intervals_restart(const struct sis_thread *thread); /* in a forked child: all is new */
/* The thread begins as a member of a team, at `top` in its tree. */
void sis__interval_begin(const struct sis_thread *thread, const struct sis_node *top);
/* It comes to a barrier at interval->to. Fills in the nodes, with the time since the last look,
 * which was at `last`. */
void sis__interval_look(struct sis_thread *thread, const struct sis_node *top, uint64_t last,
			struct sis_interval *interval);
/* The thread waited `ticks` in `wait` for the slot whose interval `last` is. `own` is its own one;
 * NULL: it was short. */
void sis__interval_charge(struct sis_thread *thread, struct sis_node *wait, uint64_t ticks,
			  uint32_t slot, const struct sis_interval *last,
			  const struct sis_interval *own);
uint64_t sis__interval_ticks(uint64_t ns);

#pragma GCC visibility pop
#endif
