/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_table.c - finds equal stacks by a hash table, whose entries point into the file. Its writer
 * alone, which may be a signal handler: no lock, no allocation. Memory is prepared by others
 * (writer.c); if there is none left, the caller counts the sample as lost.
 */
#include "base/seqlock.h"
#include "stacks/stack_table.h"

#include <string.h>

/* What distinguishes stacks: all before `count`, and the PCs. */
enum { HEAD = offsetof(struct sis_stack, count) };

static uint64_t hash_of(const struct sis_stack *key)
{
	return sis_checksum(key, HEAD) ^
	       sis_checksum(key->pc, key->frames * sizeof key->pc[0]) * 0x9e3779b97f4a7c15u;
}

static bool is_equal(const struct sis_stack *a, const struct sis_stack *b)
{
	return memcmp(a, b, HEAD) == 0 &&
	       memcmp(a->pc, b->pc, b->frames * sizeof b->pc[0]) == 0;
}

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
	for (uint64_t i = hash_of(key);; i++) {
		struct sis_stack **slot = &table->slot[i % SIS_STACK_SLOTS];
		if (!*slot)
			return *slot = append(table, key, count, weight);
		if (!is_equal(*slot, key))
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
