/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf_parts.h - divides the times of a processing unit in an interval among the leaves that
 * classify/ has booked for the whole run. Part of interval_leaves.c. */
#ifndef SIS_ANALYSIS_LEAF_PARTS_H
#define SIS_ANALYSIS_LEAF_PARTS_H

#include "causes/interval_leaves.h"

/* What a unit was doing. IN_NODE: a thread of it was in the node. IDLE: the unit was outside of all
 * regions, and the initial thread of its process was in the node; NONE: it is not known where. */
enum unit_state { IN_NODE, IDLE, NOT_KNOWN, UNIT_STATES };

/* in the whole run, and the part in the interval */
struct unit_time { enum unit_state state; uint32_t node; int64_t whole_ns, part_ns; };
/* of single waits, of the unit or, while it is IDLE, of the initial thread; `booked_ns`: of
 * `whole_ns`, what classify/ has booked for the unit */
struct unit_wait_time {
	enum unit_state state;
	uint32_t node;
	enum sis_overhead leaf;
	int64_t whole_ns, part_ns, booked_ns;
};

/* Times of one unit. Those of waits are in `wait` alone. */
struct unit_times {
	uint32_t pu;
	VEC(struct unit_time) time;
	struct map time_by_key;  /* (node, state) */
	VEC(struct unit_wait_time) wait;
	struct map wait_by_key;  /* (node, leaf and state) */
};
void unit_times_add(struct unit_times *t, enum unit_state state, uint32_t node, int64_t whole_ns,
		    int64_t part_ns);
/* Returns the place of the wait in the list. */
uint32_t unit_times_add_wait(struct unit_times *t, enum unit_state state, uint32_t node,
			     enum sis_overhead leaf, int64_t whole_ns, int64_t part_ns);
void unit_times_clear(struct unit_times *t);

/* What is booked for a unit in a node, in one state. */
struct leaf_share {
	uint32_t pu, node;
	enum unit_state state;   /* IN_NODE or IDLE */
	enum sis_overhead leaf;  /* O_NONE: useful work */
	int64_t ns;
};
struct leaf_shares { VEC(struct leaf_share) share; }; /* by unit, state and node */

/* All bookings, but for those of the time before and after a process. */
void leaf_shares_init(struct leaf_shares *s, const struct experiment *x);
/* Whether anything of the leaf is booked for the unit there. */
bool leaf_shares_has(const struct leaf_shares *s, const struct leaf_share *key);
void leaf_shares_release(struct leaf_shares *s);

/* What is booked for a unit without its single waits: by state and node, in groups of each. */
struct leaf_group;
struct unit_shares { VEC(struct leaf_share) share; VEC(struct leaf_group) group; };
/* Finds how much of each wait is booked, and what is left of all bookings. Idle times move to the
 * nodes in which some are booked. */
void unit_times_settle(struct unit_times *t, const struct leaf_shares *s,
		       const struct experiment *x, struct unit_shares *left);
void unit_shares_release(struct unit_shares *left);
/* Where the idle time of a unit is booked while the initial thread is in a node: in it, or in the
 * nearest node above that has such bookings. */
uint32_t unit_shares_idle_node(const struct unit_shares *left, const struct experiment *x,
			       uint32_t node);

/* Adds the parts of the unit's times to `l`. */
void unit_times_divide(struct unit_times *t, const struct leaf_shares *s,
		       const struct experiment *x, struct interval_leaves *l);

#endif
