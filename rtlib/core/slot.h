/* SPDX-License-Identifier: BSD-3-Clause */
/* slot.h - slots (processing units) begin and end. base/slot_table.h knows which are in use. */
#ifndef SIS_SLOT_H
#define SIS_SLOT_H

#include "base/slot_table.h"

#pragma GCC visibility push(hidden)

void sis__slots_init(void);   /* slot 0, with its root open since the start of the process */
void sis__slots_commit(void); /* the last records of all slots */
void sis__slots_keep(struct sis_thread *kept); /* in a forked child: only `kept` lives, as slot 0 */
/* The state of the smallest free slot, for a member of a team or a new thread. NULL: no slot, or no
 * memory. Takes no lock if the slot was used before. */
SIS_EXPORT struct sis_thread *sis__slot_take(void);
/* Closes what is open in the slot and frees it. The time since `end` is not the thread's. */
SIS_EXPORT void sis__slot_release(struct sis_thread *thread, uint64_t end);
/* The same when the thread itself ends; records how long it lived (SIS_RECORD_LIFE). */
SIS_EXPORT void sis__slot_end(struct sis_thread *thread);
/* Whether the slot's root is open only while a thread fills it. The root of the initial thread
 * covers the process, unless that thread ends before. */
bool sis__slot_has_lives(uint32_t slot);

#pragma GCC visibility pop
#endif
