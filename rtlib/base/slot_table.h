/* SPDX-License-Identifier: BSD-3-Clause */
/* slot_table.h - which slots of the process are in use, and the state of each. */
#ifndef SIS_SLOT_TABLE_H
#define SIS_SLOT_TABLE_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

#define SIS_SLOTS 4096u
struct sis_thread *sis__slot(uint32_t slot); /* its thread's state; NULL: the slot was never used */
bool sis__slot_is_taken(uint32_t slot);
uint32_t sis__slot_claim(void); /* the smallest free slot; SIS_NO_SLOT: none */
void sis__slot_free(uint32_t slot);
void sis__slot_set(uint32_t slot, struct sis_thread *thread); /* publishes a complete state */
void sis__slot_reserve_first(void); /* slot 0 is the initial thread's */
/* Called in a forked child: gives slot 0 to `kept`, and frees all other slots. */
void sis__slot_table_keep(struct sis_thread *kept);

#pragma GCC visibility pop
#endif
