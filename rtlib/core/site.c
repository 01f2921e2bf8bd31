/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - calls that a wrapper measures: the source announces the region, and the wrapper takes
 * it. The thread that calls.
 */
#include "core/leave.h"
#include "core/site.h"

#include <errno.h>

static void announce(struct sis_thread *thread, const struct sis_region *region)
{
	if (thread->sites == SIS_SITES) { /* the oldest was never taken: its call has no wrapper */
		for (int i = 1; i < SIS_SITES; i++)
			thread->site[i - 1] = thread->site[i];
		thread->sites--;
	}
	thread->site[thread->sites++] = (struct sis_site){ sis__region_id(region),
							   region->routine |
								   (region->id & SIS_ID_SPECIAL),
							   thread->pub.current };
}

SIS_EXPORT void sis__site(struct sis_unit *unit, struct sis_region *region)
{
	int saved = errno;
	if (!sis__region_is_registered(region) && region->id != SIS_ID_OFF)
		sis_unit_register(unit);
	struct sis_thread *thread = region->id != SIS_ID_OFF ? sis__thread() : NULL;
	if (thread)
		announce(thread, region);
	errno = saved;
}

/* Calls in the arguments of a call are announced after it and made before it. */
SIS_EXPORT uint32_t sis__site_take(struct sis_thread *thread, uint32_t routine)
{
	for (uint32_t i = thread->sites; i-- > 0;) {
		const struct sis_site *site = &thread->site[i];
		if ((site->routine & ~SIS_ID_SPECIAL) == routine &&
		    site->node == thread->pub.current) {
			thread->sites = i;
			return site->id;
		}
	}
	return SIS_MPI_ID(routine);
}
