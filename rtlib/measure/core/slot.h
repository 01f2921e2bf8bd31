/* SPDX-License-Identifier: BSD-3-Clause */
/* slot.h - begins and ends slots (processing units). base/slot_table.h has which slots are in
 * use. */
#ifndef SIS_SLOT_H
#define SIS_SLOT_H

#include "base/slot_table.h"

#pragma GCC visibility push(hidden)

void sis__slots_init(void);   /* makes slot 0; its root is open since the start of the process */
void sis__slots_commit(void); /* adds the last record of each slot to its log */
void sis__slots_keep(struct sis_thread *kept); /* in a forked child: `kept` becomes slot 0 */
/* Returns the state of the smallest free slot, for a member of a team or a new thread. NULL: no
 * slot, or no memory. Takes no lock if the slot was used before. */
SIS_EXPORT struct sis_thread *sis__slot_take(void);
/* Closes the open activations of the slot and frees the slot. Time after `end` does not count for
 * the slot. */
SIS_EXPORT void sis__slot_release(struct sis_thread *thread, uint64_t end);
/* Does the same when the thread itself ends, and records how long it lived (SIS_RECORD_LIFE). */
SIS_EXPORT void sis__slot_end(struct sis_thread *thread);
/* Whether the slot's root is open only while a thread fills the slot. The root of the initial
 * thread is open as long as the process lives, unless that thread ends before. */
bool sis__slot_has_lives(uint32_t slot);

#pragma GCC visibility pop
#endif
