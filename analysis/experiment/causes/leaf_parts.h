/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf_parts.h - divides the times of a processing unit in an interval among the leaves that
 * experiment/classify/ has booked for the whole run. Part of interval_leaves.c. */
#ifndef SIS_ANALYSIS_LEAF_PARTS_H
#define SIS_ANALYSIS_LEAF_PARTS_H

#include "experiment/causes/interval_leaves.h"

/* What a unit was doing at a moment. IN_NODE: its thread was in the node. IDLE: the unit was
 * outside of all regions, and the initial thread of its process was in the node. The node is NONE
 * if it is not known. */
enum unit_state { IN_NODE, IDLE, NOT_KNOWN, UNIT_STATES };

/* The time of a unit in a state and a node. whole_ns: in the run; part_ns: in the interval. */
struct unit_time { enum unit_state state; uint32_t node; int64_t whole_ns, part_ns; };
/* The time of single waits of the unit or, while it is IDLE, of the initial thread. booked_ns: the
 * part of whole_ns that experiment/classify/ has booked for the unit. */
struct unit_wait_time {
	enum unit_state state;
	uint32_t node;
	enum sis_overhead leaf;
	int64_t whole_ns, part_ns, booked_ns;
};

/* Times of one unit. The times of single waits are in `wait`, and not in `time`. */
struct unit_times {
	uint32_t pu;
	VEC(struct unit_time) time;
	struct map time_by_key;  /* (node, state) */
	VEC(struct unit_wait_time) wait;
	struct map wait_by_key;  /* (node, leaf and state) */
};
void unit_times_add(struct unit_times *t, enum unit_state state, uint32_t node, int64_t whole_ns,
		    int64_t part_ns);
/* Adds times of a single wait. Returns the index in t->wait. */
uint32_t unit_times_add_wait(struct unit_times *t, enum unit_state state, uint32_t node,
			     enum sis_overhead leaf, int64_t whole_ns, int64_t part_ns);
void unit_times_clear(struct unit_times *t);

/* Time that is booked for a unit in a node, in one state, as one leaf. */
struct leaf_share {
	uint32_t pu, node;
	enum unit_state state;   /* IN_NODE or IDLE */
	enum sis_overhead leaf;  /* O_NONE: useful work */
	int64_t ns;
};
struct leaf_shares { VEC(struct leaf_share) share; }; /* sorted by unit, state and node */

/* Lists all bookings, without the time before and after a process. */
void leaf_shares_init(struct leaf_shares *s, const struct experiment *x);
/* Whether any time is booked for the unit, node, state and leaf of `key`. */
bool leaf_shares_has(const struct leaf_shares *s, const struct leaf_share *key);
void leaf_shares_release(struct leaf_shares *s);

/* The bookings of a unit without its single waits, sorted by state and node. A group consists of
 * the bookings with the same state and node. */
struct leaf_group;
struct unit_shares { VEC(struct leaf_share) share; VEC(struct leaf_group) group; };
/* Finds how much of each single wait is booked, and subtracts it from the bookings. `left` gets the
 * remaining bookings. Idle times move to the nodes in which idle time is booked. */
void unit_times_settle(struct unit_times *t, const struct leaf_shares *s,
		       const struct experiment *x, struct unit_shares *left);
void unit_shares_release(struct unit_shares *left);
/* Divides the unit's times in the interval among leaves, and adds them to `l`. */
void unit_times_divide(struct unit_times *t, const struct leaf_shares *s,
		       const struct experiment *x, struct interval_leaves *l);

#endif
