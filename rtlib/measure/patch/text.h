/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - changes instructions of gates while other threads may execute them. */
#ifndef SIS_TEXT_H
#define SIS_TEXT_H

#include "sis/gate_table.h"

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

void sis__text_begin(void); /* at the start of the process */
/* Turns off each of the gates that is on, and turns on each that is off. Nothing changes if the
 * kernel forbids to change the text, or if the text cannot be changed safely now. Afterwards the
 * states of the gates say what was done. The caller holds sis__objects_lock. */
void sis__text_change(struct sis_object *object, struct sis_gate *const *gates, size_t count);

#pragma GCC visibility pop
#endif
