/* SPDX-License-Identifier: BSD-3-Clause */
/* team_parts.c - see team_parts.h. One thread. */
#include "timeline/team_parts.h"

#include "base/sort.h"

enum { NESTED_MOST = 64 /* teams that are open in one thread */ };

uint32_t team_parts_add(team_parts *parts, uint32_t slot, uint32_t node, int64_t enter)
{
	*vec_push(parts) = (struct team_part){
		.slot = slot, .node = node, .enter = enter, .leave = INT64_MAX, .team = NONE
	};
	return (uint32_t)parts->n - 1;
}

/* The number of parts of the slot, and of those before it, that began until `time`. */
static size_t parts_until(const team_parts *parts, uint32_t slot, int64_t time)
{
	const struct team_part *at = parts->at;
	return search_first(i, 0, parts->n, at[i].slot < slot ||
			    (at[i].slot == slot && at[i].enter <= time));
}

/* Whether the thread that created the node's task or team was in the node that did, at `time`. */
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

/* The part of the forking thread that a worker's part belongs to. */
static uint32_t team_of(const team_parts *parts, const struct process *process, uint32_t place)
{
	const struct team_part *part = &parts->at[place];
	uint32_t origin = process->profile.node.at[part->node].origin;
	if (origin == NONE || process->profile.node.at[origin].slot == part->slot)
		return place;
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
