/* SPDX-License-Identifier: BSD-3-Clause */
/* region_switch.h - turns regions off and on again while the program runs. Called by threads of the
 * runtime, never by a probe.
 */
#ifndef SIS_REGION_SWITCH_H
#define SIS_REGION_SWITCH_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* A region, and the id that it gets: SIS_ID_OFF, or the id that it has while it is on. */
struct sis_region_switch {
	struct sis_region *region;
	uint32_t id;
};

/* Stores the ids, and patches the gates of these regions. Open activations go on; each of them ends
 * at its own leave. A call for many regions costs hardly more than a call for one region: some
 * system calls, and a test of every gate of the program. */
void sis__regions_switch(const struct sis_region_switch *list, size_t count);

/* Patches the gates of a unit that was registered and has ids. */
void sis__unit_gates_update(const struct sis_unit *unit);

/* The id that a region has while it is on, without SIS_ID_SPECIAL; 0: the region is entered by a
 * wrapper or the runtime, not by probes. */
static inline uint32_t sis__region_number(const struct sis_region *region)
{
	return region->routine >= SIS_FIRST_UNIT_ID ? region->routine : 0;
}

#pragma GCC visibility pop
#endif
