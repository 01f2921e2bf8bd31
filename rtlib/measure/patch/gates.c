/* SPDX-License-Identifier: BSD-3-Clause */
/* gates.c - turns the gates of regions off and on. Called by a thread of the runtime, or by a
 * thread that registers a unit.
 *
 * The ids of the regions say which gates should be on, and the states of the gates say which gates
 * are on. Only gates for which the two differ are patched, so this may be called at any time.
 */
#include "base/config.h"
#include "measure/patch/gates.h"
#include "measure/patch/text.h"

#include <stddef.h>

enum { BATCH = 512 };
static struct sis_gate *batch[BATCH]; /* gates to change, in the order of the table */

static void change_batch(struct sis_object *object, size_t *count)
{
	if (*count)
		sis__text_change(object, batch, *count);
	*count = 0;
}

static void update(struct sis_object *object, bool all_off)
{
	size_t count = 0;
	if (!sis__config.patch || !object->protection)
		return;
	for (struct sis_gate *gate = object->gate; gate < object->end; gate++) {
		const char *text = sis__gate_text(gate);
		if (text < object->text || text >= object->text_end)
			continue;
		/* If this loads an old id, it does no harm: the thread that stores the new id calls
		 * this function afterwards. */
		bool on = !all_off && __atomic_load_n(&sis__gate_region(gate)->id,
						      __ATOMIC_RELAXED) != SIS_ID_OFF;
		if (gate->state != (on ? SIS_GATE_OFF : SIS_GATE_ON))
			continue;
		batch[count++] = gate;
		if (count == BATCH)
			change_batch(object, &count);
	}
	change_batch(object, &count);
}

void sis__gates_update(struct sis_object *object)
{
	update(object, false);
}

void sis__gates_all_off(struct sis_object *object)
{
	update(object, true);
}
