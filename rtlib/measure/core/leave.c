/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.c - finds the thread in whose tree a leave looks for its activation. Called by the thread
 * that runs the probe. */
#include "base/state.h"
#include "measure/core/leave.h"

struct sis_thread *sis__thread_to_leave(void)
{
	struct sis_local *local = &sis__local;
	if (local->skipped) {
		local->skipped--;
		sis__refresh();
		return NULL;
	}
	return sis__store_is_live() && !local->inside ? local->own : NULL;
}

struct sis_thread *sis__thread_to_leave_region(const struct sis_region *region)
{
	return sis__region_is_registered(region) ? sis__thread_to_leave() : NULL;
}
