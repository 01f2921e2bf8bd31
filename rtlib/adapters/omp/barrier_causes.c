/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier_causes.c - the causes of a member's wait at a barrier: other members, and their nodes.
 * Called by the member after the wait. At the end of a team, the forking thread calls it for each
 * member.
 *
 * A wait is divided into these parts; the last part of the wait comes first:
 *   - all members had come, and this member had no processor;
 *   - all members had come, and another member executed a task;
 *   - the last member had not come, because since the last barrier it had spent more time in some
 *     nodes than this member;
 *   - there was no task to execute: the time before each task that this member executed
 *     (sis__task_found). */
#include "base/ticks.h"
#include "adapters/omp/omp_team.h"

static const struct sis_interval *interval_to(const struct sis_team *member, uint64_t generation,
					      uint64_t arrival)
{
	const struct sis_interval *interval = &member->interval[generation % 2];
	return interval->to == arrival ? interval : NULL;
}

/* Notes the causes of the part of the wait that `node` got. The first cause is the last task that
 * was executed after all members had come. The second cause is the member that came last, in the
 * nodes in which it spent more time than this member since the last barrier. If this time was
 * short, the node is not known. */
static void note_last(const struct sis_team *me, const struct sis_member_wait *wait,
		      struct sis_node *node, uint64_t ticks)
{
	struct sis_where where = { wait->came->par,
				   SIS_CULPRIT_INSIDE | SIS_CULPRIT_ESTIMATED };
	uint32_t slot = wait->came->thread->pub.slot;
	const struct sis_interval *interval = interval_to(wait->came, me->generation,
							  wait->came_at);
	if (wait->last != wait->came && wait->last != me)
		ticks = sis__task_charge(wait->thread, node, ticks, wait->last, wait->came_at);
	if (wait->came == me)
		return;
	if (interval)
		sis__interval_charge(wait->thread, node, ticks, slot, interval,
				     interval_to(me, me->generation, wait->arrival));
	else
		sis__culprit(wait->thread, node, slot, where, ticks);
}

/* Notes the causes of the `ticks` that belong to `node`; the member waited `all` ticks in total. */
static void note_causes(const struct sis_team *me, const struct sis_member_wait *wait,
			struct sis_node *node, uint64_t ticks, uint64_t all)
{
	uint64_t left = all;
	if (!node)
		return;
	for (unsigned i = 0; i < me->becauses; i++) {
		const struct sis_because *b = &me->because[i];
		uint64_t part = b->ticks < left ? b->ticks : left;
		sis__culprit(wait->thread, node, b->slot, b->where, sis__share(ticks, part, all));
		left -= part;
	}
	note_last(me, wait, node, sis__share(ticks, left, all));
}

void sis__wait_note(const struct sis_team *me, const struct sis_member_wait *wait,
		    const struct sis_wait_parts *parts)
{
	uint64_t late = wait->late < parts->rest ? wait->late : parts->rest,
		 all = parts->rest - late + parts->unpar + parts->part;
	sis__culprit(wait->thread, wait->node, wait->thread->pub.slot,
		     (struct sis_where){ wait->node, SIS_CULPRIT_NO_PROCESSOR }, wait->late);
	note_causes(me, wait, parts->node, parts->rest - late, all);
	note_causes(me, wait, parts->unpar_node, parts->unpar, all);
	note_causes(me, wait, parts->part_node, parts->part, all);
}
