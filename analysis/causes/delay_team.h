/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_team.h - what delay_threads.c and delay_barriers.c share: one team of a process, and what
 * its threads did there. */
#ifndef SIS_ANALYSIS_DELAY_TEAM_H
#define SIS_ANALYSIS_DELAY_TEAM_H

#include "causes/delay.h"
#include "model/regions.h"

/* Nodes in the order in which a walk finds them, so that all below a node follow it: paths may be
 * ten thousand nodes deep, and each of those a construct whose inside is looked at. */
/* of a node: the innermost team around it, its place, nodes from it down */
struct delay_walk { uint32_t *team, *order, *size; };

/* own time of a unit in a node of a team */
struct delay_item { uint32_t team, process, order, node, pu; int64_t ns; };
struct delay_team { /* one team node in one process: its items, in the walk's order */
	struct experiment *x;
	const struct delay_walk *walk;
	const struct delay_item *item;
	size_t n;
	uint32_t first_pu, units;
};

/* Whether the team is the innermost one around the node: waits count in no other. */
static inline bool delay_is_of_team(const struct delay_team *t, uint32_t node)
{
	return t->walk->team[node] == t->item[0].team;
}

/* delay_barriers.c: of all waits at barriers of the team. */
void delay_team_barriers(const struct delay_team *t);

#endif
