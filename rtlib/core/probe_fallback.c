/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_fallback.c - the probes of objects that were linked without lib/sis/probes.o: another
 * linker command made a library, and the program has the runtime. The thread that runs the probe.
 * These probes are the same, one call further away.
 */
#include "base/runtime.h"

SIS_EXPORT void sis__far_enter(struct sis_unit *unit, struct sis_region *region)
{
	sis__enter(unit, region);
}

SIS_EXPORT void sis__far_leave(struct sis_region *region)
{
	sis__leave(region);
}

SIS_EXPORT void sis__far_announce(struct sis_unit *unit, struct sis_region *region)
{
	sis__announce(unit, region);
}
