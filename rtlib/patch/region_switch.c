/* SPDX-License-Identifier: BSD-3-Clause */
/* region_switch.c - turns regions off and on again. A thread of the runtime, or one that registers
 * a unit.
 *
 * Only the way in has a gate. The program's own variable says whether an activation was entered
 * (sis/probe.h), so no order of the two ways is needed, and the way out finds the number of a
 * region that is off in `routine`. An enter that has tested the id when the region is turned off,
 * and reads it again afterwards, does the same. So each leave ends its own activation, also in a
 * recursion.
 * LIMIT: probes of version 3 and before have no such variable.
 */
#include "patch/objects.h"
#include "patch/region_switch.h"
#include "patch/gates.h"

void sis__regions_switch(const struct sis_region_switch *list, size_t count)
{
	if (count == 0 || !sis__lock(&sis__objects_lock))
		return;
	/* a probe that sees the id finds the region's facts, which were stored before */
	for (size_t i = 0; i < count; i++)
		__atomic_store_n(&list[i].region->id, list[i].id, __ATOMIC_RELEASE);
	for (struct sis_object *object = sis__objects; object; object = object->next)
		sis__gates_update(object);
	sis__unlock(&sis__objects_lock);
}

void sis__unit_gates_update(const struct sis_unit *unit)
{
	if (!sis__lock(&sis__objects_lock))
		return;
	struct sis_object *object = sis__object_of(unit->region);
	if (object)
		sis__gates_update(object);
	sis__unlock(&sis__objects_lock);
}
