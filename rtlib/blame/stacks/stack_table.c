/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_table.c - finds equal stacks by a hash table, whose entries point into the file. Called by
 * the table's writer only, which may be a signal handler: no lock, no allocation. Another thread
 * makes the memory in advance (writer.c). If no memory is left, the caller counts the sample as
 * lost.
 */
#include "base/seqlock.h"
#include "blame/stacks/stack_table.h"

#include <string.h>

/* Two stacks are equal if all members before `count`, and the PCs, are equal. */
enum { HEAD = offsetof(struct sis_stack, count) };

static struct sis_stack *append(struct sis_stack_table *table, const struct sis_stack *key,
				uint64_t count, uint64_t weight)
{
	uint32_t bytes = (uint32_t)(sizeof *key + key->frames * sizeof key->pc[0]);
	struct sis_stack *stack = table->stacks < SIS_STACKS_MOST
					  ? sis__filling_room(&table->filling, bytes) : NULL;
	if (!stack)
		return NULL;
	memcpy(stack, key, bytes);
	stack->count = count;
	stack->weight = weight;
	sis__filling_done(&table->filling, bytes);
	SIS_SET(table->stacks, table->stacks + 1);
	return stack;
}

struct sis_stack *sis__stack_add(struct sis_stack_table *table, const struct sis_stack *key,
				 uint64_t count, uint64_t weight)
{
	uint64_t pc_bytes = key->frames * sizeof key->pc[0];
	uint64_t hash = sis_checksum(key, HEAD) ^
			sis_checksum(key->pc, pc_bytes) * 0x9e3779b97f4a7c15u;
	for (uint64_t i = hash;; i++) {
		struct sis_stack **slot = &table->slot[i % SIS_STACK_SLOTS];
		if (!*slot)
			return *slot = append(table, key, count, weight);
		if (memcmp(*slot, key, HEAD) != 0 || memcmp((*slot)->pc, key->pc, pc_bytes) != 0)
			continue;
		(*slot)->count += count;
		(*slot)->weight += weight;
		return *slot;
	}
}

bool sis__stacks_want_chunk(const struct sis_stack_table *table)
{
	return SIS_GET(table->stacks) < SIS_STACKS_MOST && sis__filling_wants(&table->filling);
}
