/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_fallback.c - the probes of libraries that sisc did not link, and that therefore lack
 * lib/sis/probes.o, in a program that has the runtime. They are the same probes, but need one more
 * call. Called by the thread that runs the probe.
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
