/* SPDX-License-Identifier: BSD-3-Clause */
/* index.c - a hash table with open addressing and linear probing, which is at most half full. One
 * thread at a time may use an index. Keys with successive values of `a` share a cache line, because
 * callers mostly look up keys in the order of `a`. */
#include "base/index.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"

enum { NEIGHBOURS = 16 };

static uint32_t *find_slot(const struct index *index, index_key_of *key_of, const void *list,
			   uint64_t a, uint64_t b)
{
	size_t i = (map_hash(a / NEIGHBOURS, b) * NEIGHBOURS + a % NEIGHBOURS) & (index->slots - 1);
	for (; index->slot[i]; i = (i + 1) & (index->slots - 1)) {
		struct index_key key = key_of(list, index->slot[i] - 1);
		if (key.a == a && key.b == b)
			break;
	}
	return &index->slot[i];
}

static void widen(struct index *index, index_key_of *key_of, const void *list)
{
	struct index old = *index;
	index->slots = old.slots ? old.slots * 2 : 64;
	index->slot = mem_alloc(index->slots, sizeof *index->slot);
	for (size_t i = 0; i < old.slots; i++) {
		if (!old.slot[i])
			continue;
		struct index_key key = key_of(list, old.slot[i] - 1);
		*find_slot(index, key_of, list, key.a, key.b) = old.slot[i];
	}
	free(old.slot);
}

uint32_t index_put(struct index *index, index_key_of *key_of, const void *list, uint64_t a,
		   uint64_t b, uint32_t fresh)
{
	if (index->n * 2 >= index->slots)
		widen(index, key_of, list);
	uint32_t *slot = find_slot(index, key_of, list, a, b);
	if (!*slot) {
		*slot = fresh + 1;
		index->n++;
	}
	return *slot - 1;
}

uint32_t index_get(const struct index *index, index_key_of *key_of, const void *list, uint64_t a,
		   uint64_t b)
{
	if (!index->slots)
		return INDEX_NONE;
	uint32_t slot = *find_slot(index, key_of, list, a, b);
	return slot ? slot - 1 : INDEX_NONE;
}

void index_free(struct index *index)
{
	free(index->slot);
	*index = (struct index){ 0 };
}
