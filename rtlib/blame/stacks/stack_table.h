/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_table.h - the stacks of one writer, each stored once. A writer is a thread in the handler
 * of the samples' signal, or the sampler. */
#ifndef SIS_STACK_TABLE_H
#define SIS_STACK_TABLE_H

#include "blame/stacks/filling.h"

#pragma GCC visibility push(hidden)

enum { SIS_STACK_SLOTS = 1 << 16, SIS_STACKS_MOST = SIS_STACK_SLOTS / 4 * 3 };

struct sis_stack_table {
	struct sis_stack **slot;      /* SIS_STACK_SLOTS elements; NULL: free */
	uint32_t stacks;              /* slots in use */
	struct sis_filling filling;
};

/* Adds samples to the stack that equals `key` apart from count and weight, or makes that stack.
 * key->pc must have room for key->frames PCs. Returns NULL if there is no room. Safe in a signal
 * handler. */
struct sis_stack *sis__stack_add(struct sis_stack_table *table, const struct sis_stack *key,
				 uint64_t count, uint64_t weight);
/* Whether the writer needs a spare chunk. */
bool sis__stacks_want_chunk(const struct sis_stack_table *table);

#pragma GCC visibility pop
#endif
