/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_team.h - what delay_threads.c, delay_barriers.c and delay_chain.c share: one team of a
 * process, and what its threads did there. */
#ifndef SIS_ANALYSIS_DELAY_TEAM_H
#define SIS_ANALYSIS_DELAY_TEAM_H

#include "causes/delay.h"
#include "model/regions.h"

/* Nodes in depth-first order: all nodes below a node follow it. So the inside of a construct is an
 * interval, also where paths are ten thousand nodes deep. Of each node: the innermost team around
 * it, its position in the order, and the number of nodes from it down. */
struct delay_walk { uint32_t *team, *order, *size; };

/* own time of a processing unit in a node of a team; forker: the slot that forked the team. Members
 * of an outer team may fork inner teams at one node, at the same time. */
struct delay_item { uint32_t team, process, forker, order, node, pu; int64_t ns; };
struct delay_team { /* one team node and forker in one process: its items, in the walk's order */
	const struct experiment *x;
	struct experiment_causes *causes;
	const struct delay_walk *walk;
	const struct delay_item *item;
	size_t n;
	uint32_t first_pu, units;
};

/* Whether the team is the innermost one around the node. A wait counts in that team only. */
static inline bool delay_is_of_team(const struct delay_team *t, uint32_t node)
{
	return t->walk->team[node] == t->item[0].team;
}

/* The slot that forked the team; n: the team's node in the tree of a member. */
static inline uint32_t delay_forker(const struct process *p, uint32_t n)
{
	const struct profile_node *node = &p->profile.node.at[n];
	bool same = node->origin != NONE && p->global[node->origin] == p->global[n];
	return same ? p->profile.node.at[node->origin].slot : node->slot;
}

/* delay_barriers.c: of all waits at barriers of the team. */
void delay_team_barriers(const struct delay_team *t);

#endif
