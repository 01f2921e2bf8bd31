/* SPDX-License-Identifier: BSD-3-Clause */
/* region_switch.h - turns regions off and on again while the program runs. Any thread of the
 * runtime, never a probe.
 */
#ifndef SIS_REGION_SWITCH_H
#define SIS_REGION_SWITCH_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* One region, and the id that it gets: SIS_ID_OFF, or the one that the registry gave it. */
struct sis_region_switch {
	struct sis_region *region;
	uint32_t id;
};

/* Stores the ids, and patches the sites of these regions. Activations that are open go on; each of
 * them ends at its own leave. All regions in one call cost hardly more than one. */
void sis__regions_switch(const struct sis_region_switch *list, size_t count);

static inline void sis__region_switch(struct sis_region *region, uint32_t id)
{
	sis__regions_switch(&(struct sis_region_switch){ region, id }, 1);
}

#pragma GCC visibility pop
#endif
