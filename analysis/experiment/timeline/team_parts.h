/* SPDX-License-Identifier: BSD-3-Clause */
/* team_parts.h - when threads of a traced process were members of teams, and which thread forked
 * each team.
 *
 *     slot 0   main |========|parallel =====|barrier ~~|parallel ===|main ==
 *     slot 1                 |parallel ===============||parallel ===|
 *                            part 0 of slot 0, part 0 of slot 1: one team
 *
 * LIMIT: several children of a node may have the same region: a worker's regions of teams that were
 * forked in several nodes, and tasks of several creators. Then the child is chosen whose origin was
 * open at that time. If the origin's thread has not been read yet, the first child is chosen. */
#ifndef SIS_ANALYSIS_TEAM_PARTS_H
#define SIS_ANALYSIS_TEAM_PARTS_H

#include "experiment/timeline/trace_nodes.h"

/* A time in which a thread was a member of a team. node: for the forking thread, the node that
 * forked the team; for another member, the top node of its part. Times are nanoseconds, as in the
 * experiment. */
struct team_part {
	uint32_t slot, node;
	int64_t enter, leave; /* leave INT64_MAX: the part has not ended */
	/* the forking thread's part, by its index in the list; NONE: unknown */
	uint32_t team;
	uint32_t barriers;   /* number of barriers to which the thread came */
};
typedef VEC(struct team_part) team_parts; /* sorted by slot and time */

/* Adds a part whose end is not known yet. Returns its index. */
uint32_t team_parts_add(team_parts *parts, uint32_t slot, uint32_t node, int64_t enter);
/* Chooses the node that is entered at `ns` among `first` and the other nodes with the same parent
 * and region. It is the node whose origin was open at that time, according to the parts in the list
 * so far. */
uint32_t team_parts_choose(const team_parts *parts, const struct trace_nodes *nodes,
			   uint32_t first, int64_t ns);
/* Finds the team of each part. Called when the list is complete. */
void team_parts_find_teams(team_parts *parts, const struct process *process);

#endif
