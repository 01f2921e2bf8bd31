/* SPDX-License-Identifier: BSD-3-Clause */
/* gates.c - turns the gates of regions off and on. A thread of the runtime, or one that registers a
 * unit.
 *
 * The ids of the regions say what is wanted, and the states of the gates what was done. What
 * differs is patched, so it does not matter how often this is called.
 */
#include "base/config.h"
#include "patch/gates.h"
#include "patch/text.h"

#include <stddef.h>

enum { BATCH = 512 };
static struct sis_gate *batch[BATCH]; /* to be changed, in the order of the table */

static void change_batch(struct sis_object *object, size_t *count)
{
	if (*count)
		sis__text_change(object, batch, *count);
	*count = 0;
}

static bool is_wanted_on(const struct sis_gate *gate)
{
	/* any older id is as good: who stores another one calls this afterwards */
	return __atomic_load_n(&sis__gate_region(gate)->id, __ATOMIC_RELAXED) != SIS_ID_OFF;
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
		bool on = !all_off && is_wanted_on(gate);
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
