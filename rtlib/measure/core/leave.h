/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.h - finds the thread in whose tree a leave looks for its activation. */
#ifndef SIS_LEAVE_H
#define SIS_LEAVE_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

static inline bool sis__region_is_registered(const struct sis_region *region)
{
	return (region->id & SIS_ID_UNREGISTERED(0)) != SIS_ID_UNREGISTERED(0);
}
/* The id of a registered region. */
static inline uint32_t sis__region_id(const struct sis_region *region)
{
	return region->id & 0x3fffffffu; /* without SIS_ID_SPECIAL and the bit beside it */
}
/* Returns the state of the calling thread, in whose tree the activation is. NULL: the thread is not
 * measured, or the leave only ends a skipped activation. */
struct sis_thread *sis__thread_to_leave(void);
/* Does the same, but returns NULL also if the region is not registered. */
struct sis_thread *sis__thread_to_leave_region(const struct sis_region *region);

#pragma GCC visibility pop
#endif
