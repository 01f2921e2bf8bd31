/* SPDX-License-Identifier: BSD-3-Clause */
/* team_parts.h - when threads of a traced process were members of teams, and which thread forked
 * the team.
 *
 *     slot 0   main |========|parallel =====|barrier ~~|parallel ===|main ==
 *     slot 1                 |parallel ===============||parallel ===|
 *                            part 0 of slot 0, part 0 of slot 1: one team
 *
 * LIMIT: several children of a node may have the same region (a worker's regions of teams that were
 * forked in several places, tasks of several creators). Then the child is taken whose origin was
 * open at that time. If the thread of the origin is read later, this is not known, and the first
 * child is taken. */
#ifndef SIS_ANALYSIS_TEAM_PARTS_H
#define SIS_ANALYSIS_TEAM_PARTS_H

#include "timeline/trace_nodes.h"

/* A thread was a member of a team: the forking thread in the node that forked it, others in the
 * node that was forked. Times are nanoseconds, as in the experiment. */
struct team_part {
	uint32_t slot, node;
	int64_t enter, leave; /* leave INT64_MAX: not yet */
	/* the forking thread's part, by its place in the list; NONE: unknown */
	uint32_t team;
	uint32_t barriers;   /* that it came to */
};
typedef VEC(struct team_part) team_parts; /* by slot and time */

/* Adds a part, which has begun; returns its place. */
uint32_t team_parts_add(team_parts *parts, uint32_t slot, uint32_t node, int64_t enter);
/* The node that is entered at `ns`: `first`, or another one of the same parent and region, by what
 * the list has so far. */
uint32_t team_parts_choose(const team_parts *parts, const struct trace_nodes *nodes,
			   uint32_t first, int64_t ns);
/* Finds the team of each part, when the list is complete. */
void team_parts_find_teams(team_parts *parts, const struct process *process);

#endif
