/* SPDX-License-Identifier: BSD-3-Clause */
/* slot_table.c - see slot_table.h. Called by any thread.
 *
 * The slots in use are a bit set, so that a thread takes a slot without a lock.
 */
#include "base/slot_table.h"

static struct sis_thread *slots[SIS_SLOTS];
static uint64_t taken[SIS_SLOTS / 64]; /* bit set of the slots in use */

struct sis_thread *sis__slot(uint32_t slot)
{
	/* pairs with the release in sis__slot_set */
	return __atomic_load_n(&slots[slot], __ATOMIC_ACQUIRE);
}

void sis__slot_set(uint32_t slot, struct sis_thread *thread)
{
	/* pairs with the acquire in sis__slot */
	__atomic_store_n(&slots[slot], thread, __ATOMIC_RELEASE);
}

bool sis__slot_is_taken(uint32_t slot)
{
	return slot < SIS_SLOTS &&
	       __atomic_load_n(&taken[slot / 64], __ATOMIC_RELAXED) >> slot % 64 & 1;
}

uint32_t sis__slot_claim(void)
{
	for (uint32_t word = 0; word < SIS_SLOTS / 64; word++) {
		uint64_t bits = __atomic_load_n(&taken[word], __ATOMIC_RELAXED);
		while (~bits) {
			uint64_t bit = ~bits & (bits + 1);
			/* acquire, to see what the last owner wrote; pairs with sis__slot_free */
			if (__atomic_compare_exchange_n(&taken[word], &bits, bits | bit, false,
							__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
				return word * 64 + (uint32_t)__builtin_ctzll(bit);
		}
	}
	return SIS_NO_SLOT;
}

void sis__slot_free(uint32_t slot)
{
	/* pairs with sis__slot_claim */
	__atomic_fetch_and(&taken[slot / 64], ~(1ull << slot % 64), __ATOMIC_RELEASE);
}

void sis__slot_reserve_first(void)
{
	taken[0] |= 1;
}

void sis__slot_table_keep(struct sis_thread *kept)
{
	for (uint32_t i = 0; i < SIS_SLOTS; i++)
		slots[i] = NULL;
	for (uint32_t i = 0; i < SIS_SLOTS / 64; i++)
		taken[i] = 0;
	taken[0] = 1;
	slots[0] = kept;
}
