/* SPDX-License-Identifier: BSD-3-Clause */
/* gates.h - turns the gates of regions off and on. The caller holds sis__objects_lock. */
#ifndef SIS_GATES_H
#define SIS_GATES_H

#include "base/runtime.h"
#include "sis/gate_table.h"

#pragma GCC visibility push(hidden)

enum sis_gate_state {
	SIS_GATE_ON,      /* jumps; as in the file */
	SIS_GATE_OFF,     /* does nothing */
	SIS_GATE_FOREIGN, /* another tool has changed its text, so the gate stays as it is */
};

static inline char *sis__gate_text(const struct sis_gate *gate)
{
	return (char *)&gate->at + gate->at;
}
static inline const struct sis_region *sis__gate_region(const struct sis_gate *gate)
{
	return (const struct sis_region *)((const char *)&gate->region + gate->region);
}

/* Gives each gate of the object the state that follows from the id of its region. */
void sis__gates_update(struct sis_object *object);
void sis__gates_all_off(struct sis_object *object); /* turns all gates off, whatever the ids are */

#pragma GCC visibility pop
#endif
