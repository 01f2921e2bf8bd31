/* SPDX-License-Identifier: BSD-3-Clause */
/* culprit.c - the sums of waits for other threads of the process (struct sis_culprit). Called by
 * the thread that waited, after the wait.
 *
 * A hash table finds the sum of a kind of wait. If all entries for a new sum are taken, it replaces
 * another sum in the table, which stays in the profile. The next wait of the replaced kind begins a
 * second sum, and readers add both. So the table need not grow. If a thread has a million kinds of
 * waits, the profile has the first MOST sums, and one sum without nodes for the rest.
 */
#include "output/profile/store.h"
#include "measure/wait_causes/culprit.h"

#include <string.h>
#include <sys/mman.h>

enum { ENTRY_BITS = 12, ENTRIES = 1 << ENTRY_BITS, PROBES = 8 };
enum { MOST = 16384, CHUNK_BYTES = 16 << 10 };

struct sis_culprits { /* of a thread, in private memory */
	uint64_t count;           /* number of sums */
	struct sis_culprit *lost; /* the sum without nodes */
	struct sis_culprit *entry[ENTRIES];
};

uint64_t sis__wait_short(void)
{
	return sis__header()->ticks_per_second / 50000;
}

static struct sis_culprit *sum_new(struct sis_thread *thread, const struct sis_culprit *key)
{
	struct sis_culprit *sum = sis__from_chunk(thread, &thread->culprits, SIS_CHUNK_CULPRITS,
						  sizeof *sum, CHUNK_BYTES);
	if (!sum)
		return NULL;
	*sum = *key;
	thread->culprits->used += sizeof *sum;
	thread->culprit_table->count++;
	return sum;
}

static bool is_same(const struct sis_culprit *a, const struct sis_culprit *b)
{
	return a->node == b->node && a->culprit == b->culprit && a->slot == b->slot &&
	       a->flags == b->flags;
}

/* Returns the entry of the key's sum. If there is none, returns an empty entry or, if no entry is
 * empty, the entry of another sum. */
static struct sis_culprit **entry_of(struct sis_culprits *table, const struct sis_culprit *key)
{
	uint64_t h = ((uintptr_t)key->node >> 5) * SIS_HASH_MULTIPLIER +
		     ((uintptr_t)key->culprit >> 5) * SIS_HASH_SECOND;
	h += (uint64_t)key->slot << 32 | key->flags;
	uint64_t first = sis_hash_top(h ^ h >> 29, ENTRY_BITS);
	for (uint64_t i = first; i < first + PROBES; i++) {
		struct sis_culprit **entry = &table->entry[i % ENTRIES];
		if (!*entry || is_same(*entry, key))
			return entry;
	}
	return &table->entry[first];
}

static struct sis_culprit *sum_of(struct sis_thread *thread, const struct sis_culprit *key)
{
	struct sis_culprits *table = thread->culprit_table;
	struct sis_culprit **entry = entry_of(table, key);
	if (*entry && is_same(*entry, key))
		return *entry;
	if (table->count < MOST)
		return *entry = sum_new(thread, key);
	if (!table->lost)
		table->lost = sum_new(thread, &(struct sis_culprit){ .slot = SIS_NO_SLOT });
	return table->lost;
}

void sis__culprit(struct sis_thread *thread, struct sis_node *node, uint32_t slot,
		  struct sis_where where, uint64_t ticks)
{
	struct sis_culprit key = {
		.node = node, .culprit = where.node, .slot = slot, .flags = where.flags
	};
	if (!node || !where.node || ticks == 0)
		return;
	sis__guard();
	if (!thread->culprit_table) {
		void *table = mmap(NULL, sizeof *thread->culprit_table, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		thread->culprit_table = table == MAP_FAILED ? NULL : table;
	}
	struct sis_culprit *sum = thread->culprit_table ? sum_of(thread, &key) : NULL;
	if (sum) {
		sum->count++;
		sum->ticks += ticks;
	} else {
		thread->pub.dropped_nodes++;
	}
	sis__unguard();
}

/* Whether there is room for sums of waits at barriers. These waits can be explained without sums,
 * so their sums take only half of the room. */
bool sis__culprits_have_room(const struct sis_thread *thread)
{
	return !thread->culprit_table || thread->culprit_table->count < MOST / 2;
}

void sis__culprits_restart(struct sis_thread *thread)
{
	thread->culprits = NULL;
	if (thread->culprit_table)
		memset(thread->culprit_table, 0, sizeof *thread->culprit_table);
}
