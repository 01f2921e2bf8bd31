/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap_list.h - the open activations that may go on when an activation around them ends. */
#ifndef SIS_OVERLAP_LIST_H
#define SIS_OVERLAP_LIST_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Finds the activation in the list. NULL: the activation is not in the list. */
struct sis_overlap *sis__overlap_find(struct sis_thread *thread, struct sis_activation at);
/* Adds an activation, unless the list is full. */
void sis__overlap_add(struct sis_thread *thread, struct sis_overlap overlap);
void sis__overlap_drop(struct sis_thread *thread, struct sis_overlap *overlap);
/* Called when an activation has ended: adds its length to minimum and maximum, and removes it from
 * the list. `ticks` is the length of its last part; SIS_NO_TICKS: it was not timed. */
void sis__overlap_finish(struct sis_thread *thread, struct sis_activation ended, uint64_t ticks);

#pragma GCC visibility pop
#endif
