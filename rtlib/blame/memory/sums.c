/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.c - sums of allocations. The sums are in the file of samples, and are found by a hash table.
 * Called by the thread that allocates or frees, under the lock of allocations.c.
 *
 * The process may be killed between any two stores. The order of stores ensures that a sum never
 * has more bytes alive than bytes in all, and never more frees than allocations. `kind` is stored
 * last, because readers skip a record without a kind.
 */
#include "blame/memory/sums.h"

#include <string.h>

static struct sis_memory *slot[SIS_SUMS_SLOTS];
static uint32_t sums;

static struct sis_memory **place_of(uint64_t stack, uint32_t kind)
{
	uint64_t at = (stack * 2 + kind) * 0x9e3779b97f4a7c15u >> 32;
	while (slot[at % SIS_SUMS_SLOTS] && (slot[at % SIS_SUMS_SLOTS]->stack != stack ||
					     slot[at % SIS_SUMS_SLOTS]->kind != kind))
		at++;
	return &slot[at % SIS_SUMS_SLOTS];
}

struct sis_memory *sis__sums_find(uint64_t stack, uint32_t kind)
{
	return *place_of(stack, kind);
}

bool sis__sums_add(struct sis_memory *sum, uint64_t stack, uint32_t kind)
{
	if (sums == SIS_SUMS_MOST)
		return false;
	sums++;
	sum->stack = stack;
	/* pairs with readers of the file */
	__atomic_store_n(&sum->kind, kind, __ATOMIC_RELEASE);
	*place_of(stack, kind) = sum;
	return true;
}

void sis__sums_clear(void)
{
	memset(slot, 0, sizeof slot);
	sums = 0;
}

/* -- what happens ------------------------------------------------------------------------------ */

/* Pairs with readers of the file. */
static void fence(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }

void sis__sum_begin(struct sis_memory *sum, uint64_t bytes, uint64_t ticks)
{
	if (sum->allocations == 0)
		sum->from = ticks;
	sum->allocations++;
	sum->bytes += bytes;
	fence();
	sum->alive += bytes;
	if (sum->alive > sum->most)
		sum->most = sum->alive;
	if (bytes > sum->largest)
		sum->largest = bytes;
}

void sis__sum_end(struct sis_memory *sum, const struct sis_block *block, uint64_t ticks)
{
	sum->alive -= block->end - block->begin;
	if (block->is_part)
		return;
	sum->freed++;
	sum->life += ticks > block->ticks ? ticks - block->ticks : 0;
	sum->to = ticks;
}

void sis__sum_resize(struct sis_memory *sum, uint64_t before, uint64_t bytes)
{
	if (bytes > before)
		sum->bytes += bytes - before;
	fence();
	sum->alive += bytes - before;
	if (sum->alive > sum->most)
		sum->most = sum->alive;
	if (bytes > sum->largest)
		sum->largest = bytes;
}
