/* SPDX-License-Identifier: BSD-3-Clause */
/* member_interval.c - what the members of a team do between two barriers
 * (measure/wait_causes/interval.h), and when they have no processor. Called by the member itself.
 *
 *     barrier            barrier
 *     ....|  | late |====== work ======|....            late: all have come, and the member is
 *         |                            |                ready, but has no processor
 *         all there                    arrives
 */
#include "base/ticks.h"
#include "process/no_processor.h"
#include "adapters/omp/omp_team.h"

void sis__member_look(const struct sis_team *me, uint64_t now)
{
	if (me->par && me->thread)
		sis__no_processor_look(me->thread, me->start, now);
}

void sis__member_arrives(struct sis_team *me, uint64_t now)
{
	struct sis_interval *interval = &me->interval[me->generation % 2];
	sis__member_look(me, now);
	interval->to = 0;
	if (!me->par || !me->thread || me->fork->size < 2 ||
	    now - me->looked < sis__interval_shortest())
		return;
	uint64_t counted = sis__no_processor_counted();
	interval->to = now;
	interval->lack = sis__ns_to_ticks(counted - me->lack_before);
	interval->late = me->late;
	interval->late_in = me->late_in;
	sis__interval_look(me->thread, me->par, me->looked, interval);
	me->looked = now;
	me->lack_before = counted;
	me->late = 0;
}

/* The time without a processor that the kernel counted during the wait is assumed to be at the end
 * of the wait, after all members had come. */
void sis__member_goes_on(struct sis_team *me, struct sis_member_wait *wait, uint64_t all_there)
{
	me->late = 0;
	me->late_in = wait->node;
	if (sis__ticks_between(wait->arrival, wait->now) < sis__interval_shortest())
		return;
	uint64_t counted = sis__no_processor_counted(),
		 lack = sis__ns_to_ticks(counted - me->lack_before),
		 since = sis__ticks_between(all_there, wait->now);
	me->late = wait->late = lack < since ? lack : since;
	me->lack_before = counted;
}

void sis__member_waited(const struct sis_team *me, struct sis_node *node, uint64_t from,
			uint64_t now)
{
	if (me->par && me->thread && node)
		sis__no_processor_waited(me->thread, node, from, me->start, now);
}
