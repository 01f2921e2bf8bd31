/* SPDX-License-Identifier: BSD-3-Clause */
/* team_parts.c - finds out which parts of threads belong to one team. Called by one thread. */
#include "experiment/timeline/team_parts.h"

#include "base/sort.h"

enum { NESTED_MOST = 64 /* most parts of a thread that are searched for an origin */ };

uint32_t team_parts_add(team_parts *parts, uint32_t slot, uint32_t node, int64_t enter)
{
	*vec_push(parts) = (struct team_part){
		.slot = slot, .node = node, .enter = enter, .leave = INT64_MAX, .team = NONE
	};
	return (uint32_t)parts->n - 1;
}

/* The index of the first part of the slot that begins after `time`; if there is none, of the first
 * part of a later slot. */
static size_t parts_until(const team_parts *parts, uint32_t slot, int64_t time)
{
	const struct team_part *at = parts->at;
	return search_first(i, 0, parts->n, at[i].slot < slot ||
			    (at[i].slot == slot && at[i].enter <= time));
}

/* Whether the node's origin was open at `time`. The origin is the node that created the task or
 * forked the team. */
static bool origin_was_open(const team_parts *parts, const struct process *process, uint32_t node,
			    int64_t time)
{
	uint32_t origin = process->profile.node.at[node].origin;
	if (origin == NONE)
		return false;
	uint32_t slot = process->profile.node.at[origin].slot;
	size_t after = parts_until(parts, slot, time);
	for (int n = 0; n < NESTED_MOST && after-- > 0 && parts->at[after].slot == slot; n++)
		if (parts->at[after].node == origin)
			return parts->at[after].leave >= time;
	return false;
}

uint32_t team_parts_choose(const team_parts *parts, const struct trace_nodes *nodes,
			   uint32_t first, int64_t ns)
{
	if (first == NONE || nodes->next_same[first] == NONE)
		return first;
	uint32_t node = first;
	while (node != NONE && !origin_was_open(parts, nodes->process, node, ns))
		node = nodes->next_same[node];
	return node != NONE ? node : first;
}

/* The index of the forking thread's part of the same team; NONE if it is not known. */
static uint32_t team_of(const team_parts *parts, const struct process *process, uint32_t index)
{
	const struct team_part *part = &parts->at[index];
	uint32_t origin = process->profile.node.at[part->node].origin;
	if (origin == NONE || process->profile.node.at[origin].slot == part->slot)
		return index;
	uint32_t slot = process->profile.node.at[origin].slot;
	size_t after = parts_until(parts, slot, part->enter);
	while (after-- > 0 && parts->at[after].slot == slot)
		if (parts->at[after].node == origin)
			return parts->at[after].leave > part->enter ? (uint32_t)after : NONE;
	return NONE;
}

void team_parts_find_teams(team_parts *parts, const struct process *process)
{
	for (size_t i = 0; i < parts->n; i++)
		parts->at[i].team = team_of(parts, process, (uint32_t)i);
}
