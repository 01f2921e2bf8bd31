/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - changes instructions of gates while other threads may execute them. */
#ifndef SIS_TEXT_H
#define SIS_TEXT_H

#include "sis/gate_table.h"

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

void sis__text_begin(void); /* at the start of the process */
/* Turns each of the gates off if it is on, and on if it is off. Nothing is changed if the kernel
 * does not permit it, or if there is no safe way now; the states of the gates say what was done.
 * The caller holds sis__objects_lock. */
void sis__text_change(struct sis_object *object, struct sis_gate *const *gates, size_t count);

#pragma GCC visibility pop
#endif
