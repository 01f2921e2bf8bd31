/* probe_fallback.c - the probes of what was linked without an object of them: a library made by
 * another linker's command, in a program that has the runtime. The thread that runs the probe. Its
 * one idea: the same probes behind one call more.
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
