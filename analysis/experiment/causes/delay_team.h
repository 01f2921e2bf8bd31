/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_team.h - one team of a process, and the times of the team's threads in it. For
 * delay_threads.c and delay_barriers.c. */
#ifndef SIS_ANALYSIS_DELAY_TEAM_H
#define SIS_ANALYSIS_DELAY_TEAM_H

#include "experiment/causes/delay.h"
#include "experiment/model/regions.h"

/* The nodes in depth-first order: all nodes below a node directly follow the node. So the nodes
 * inside a construct have successive positions. They are found without walking up paths, which may
 * be ten thousand nodes deep. The arrays are by node. team: the innermost team around the node;
 * order: the node's position in the order; size: the number of nodes in its subtree, including the
 * node. */
struct delay_walk { uint32_t *team, *order, *size; };

/* Exclusive time of a processing unit in a node of a team. forker: the slot that forked the team.
 * Several members of an outer team may fork teams at the same node. `forker` tells these teams
 * apart. */
struct delay_item { uint32_t team, process, forker, order, node, pu; int64_t ns; };
struct delay_team { /* a team node and a forker of a process; item: in the order of the walk */
	const struct experiment *x;
	struct experiment_causes *causes;
	const struct delay_walk *walk;
	const struct delay_item *item;
	size_t n;
	uint32_t first_pu, units;
};

/* Whether the team is the innermost one around the node. A wait counts in its innermost team
 * only. */
static inline bool delay_is_of_team(const struct delay_team *t, uint32_t node)
{
	return t->walk->team[node] == t->item[0].team;
}

/* The slot that forked the team. `n`: the team's node in the tree of a member. */
static inline uint32_t delay_forker(const struct process *p, uint32_t n)
{
	const struct profile_node *node = &p->profile.node.at[n];
	bool same = node->origin != NONE && p->global[node->origin] == p->global[n];
	return same ? p->profile.node.at[node->origin].slot : node->slot;
}

/* delay_barriers.c: adds the costs of all waits at barriers of the team. */
void delay_team_barriers(const struct delay_team *t);

#endif
