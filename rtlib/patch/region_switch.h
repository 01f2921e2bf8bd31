/* SPDX-License-Identifier: BSD-3-Clause */
/* region_switch.h - turns regions off and on again while the program runs. Any thread of the
 * runtime, never a probe.
 */
#ifndef SIS_REGION_SWITCH_H
#define SIS_REGION_SWITCH_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* One region, and the id that it gets: SIS_ID_OFF, or the one that it had before. */
struct sis_region_switch {
	struct sis_region *region;
	uint32_t id;
};

/* Stores the ids, and patches the gates of these regions. Activations that are open go on; each of
 * them ends at its own leave. All regions in one call cost hardly more than one: some system calls,
 * and a look at every gate of the program. */
void sis__regions_switch(const struct sis_region_switch *list, size_t count);

/* Patches the gates of a unit that was registered, with ids. */
void sis__unit_gates_update(const struct sis_unit *unit);

/* The id that a region has while it is on, without SIS_ID_SPECIAL; 0: a wrapper or the runtime
 * enters it, or its unit has older probes. */
static inline uint32_t sis__region_number(const struct sis_region *region)
{
	return region->routine >= SIS_FIRST_UNIT_ID ? region->routine : 0;
}

#pragma GCC visibility pop
#endif
