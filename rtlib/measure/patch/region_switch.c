/* SPDX-License-Identifier: BSD-3-Clause */
/* region_switch.c - turns regions off and on again. Called by a thread of the runtime, or by a
 * thread that registers a unit.
 *
 * Only the enter of a region has a gate. A variable of the program says whether an activation was
 * entered (sis/probe.h), so it does not matter whether its enter or its leave sees the switch. A
 * leave of a region that is off finds the region's number in `routine`. So does an enter that has
 * tested the id before the region was turned off, and then reads the id again. So each leave ends
 * its own activation, also in a recursion.
 */
#include "measure/patch/objects.h"
#include "measure/patch/region_switch.h"
#include "measure/patch/gates.h"

void sis__regions_switch(const struct sis_region_switch *list, size_t count)
{
	if (count == 0 || !sis__lock(&sis__objects_lock))
		return;
	/* release: a probe that sees the id also sees the region's facts */
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
