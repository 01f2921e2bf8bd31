/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - regions that the runtime enters. The program announces such a region before a call that
 * a wrapper measures, or before a construct that creates a task. The wrapper takes the
 * announcement. Called by the thread that calls the routine or creates the task.
 */
#include "measure/core/leave.h"
#include "measure/core/site.h"

#include <errno.h>

SIS_EXPORT void sis__site(struct sis_unit *unit, struct sis_region *region)
{
	if (SIS_LIKELY(sis__off))
		return;
	int saved = errno;
	if (!sis__region_is_registered(region) && region->id != SIS_ID_OFF)
		sis_unit_register(unit);
	struct sis_thread *thread = region->id != SIS_ID_OFF ? sis__thread() : NULL;
	if (thread && thread->sites == SIS_SITES) {
		/* drops the oldest announcement, which was never taken: its call has no wrapper */
		for (int i = 1; i < SIS_SITES; i++)
			thread->site[i - 1] = thread->site[i];
		thread->sites--;
	}
	if (thread)
		thread->site[thread->sites++] = (struct sis_site){
			sis__region_id(region), region->routine | (region->id & SIS_ID_SPECIAL),
			thread->pub.current
		};
	errno = saved;
}

/* Takes the last announcement for the routine in the current node, and drops later announcements.
 * The last one is the right one: a call in the arguments of another call is announced after the
 * outer call, and made before it. Returns 0 if nothing was announced. */
static uint32_t take_site(struct sis_thread *thread, uint32_t routine)
{
	for (uint32_t i = thread->sites; i-- > 0;) {
		const struct sis_site *site = &thread->site[i];
		if ((site->routine & ~SIS_ID_SPECIAL) == routine &&
		    site->node == thread->pub.current) {
			thread->sites = i;
			return site->id;
		}
	}
	return 0;
}

SIS_EXPORT uint32_t sis__site_take(struct sis_thread *thread, uint32_t routine)
{
	uint32_t id = take_site(thread, routine);
	return id ? id : SIS_MPI_ID(routine);
}

uint32_t sis__task_body_take(struct sis_thread *thread)
{
	uint32_t id = thread ? take_site(thread, SIS_MPI_ROUTINES) : 0;
	return id ? id : RT_TASK;
}
