/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - hash tables with open addressing and linear probing, which are at most half full. One
 * thread at a time may use a map. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fnv.h"

size_t map_hash(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 32 | b >> 32)) * 0xff51afd7ed558ccdu;
	h = (h ^ h >> 33 ^ b) * 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 33;
}

static struct map_entry *find_entry(const struct map *map, uint64_t a, uint64_t b)
{
	size_t i = map_hash(a, b) & (map->slots - 1);
	while (map->slot[i].used && (map->slot[i].a != a || map->slot[i].b != b))
		i = (i + 1) & (map->slots - 1);
	return &map->slot[i];
}

static void widen(struct map *map)
{
	struct map old = *map;
	map->slots = old.slots ? old.slots * 2 : 64;
	map->slot = mem_alloc(map->slots, sizeof *map->slot);
	for (size_t i = 0; i < old.slots; i++)
		if (old.slot[i].used)
			*find_entry(map, old.slot[i].a, old.slot[i].b) = old.slot[i];
	free(old.slot);
}

uint32_t map_put(struct map *map, uint64_t a, uint64_t b, uint32_t fresh, bool *is_new)
{
	if (map->n * 2 >= map->slots)
		widen(map);
	struct map_entry *entry = find_entry(map, a, b);
	if (is_new)
		*is_new = !entry->used;
	if (!entry->used) {
		*entry = (struct map_entry){ .a = a, .b = b, .value = fresh, .used = true };
		map->n++;
	}
	return entry->value;
}

uint32_t map_get(const struct map *map, uint64_t a, uint64_t b)
{
	if (!map->slots)
		return MAP_NONE;
	const struct map_entry *entry = find_entry(map, a, b);
	return entry->used ? entry->value : MAP_NONE;
}

void map_free(struct map *map)
{
	free(map->slot);
	*map = (struct map){ 0 };
}

static struct strmap_entry *find_string_entry(const struct strmap *map, const char *key)
{
	uint64_t h = sis_fnv(SIS_FNV_START, key, strlen(key));
	size_t i = (h ^ h >> 29) & (map->slots - 1);
	while (map->slot[i].key && strcmp(map->slot[i].key, key) != 0)
		i = (i + 1) & (map->slots - 1);
	return &map->slot[i];
}

static void widen_strings(struct strmap *map)
{
	struct strmap old = *map;
	map->slots = old.slots ? old.slots * 2 : 64;
	map->slot = mem_alloc(map->slots, sizeof *map->slot);
	for (size_t i = 0; i < old.slots; i++)
		if (old.slot[i].key)
			*find_string_entry(map, old.slot[i].key) = old.slot[i];
	free(old.slot);
}

uint32_t strmap_put(struct strmap *map, const char *key, uint32_t fresh, bool *is_new)
{
	if (map->n * 2 >= map->slots)
		widen_strings(map);
	struct strmap_entry *entry = find_string_entry(map, key);
	if (is_new)
		*is_new = !entry->key;
	if (!entry->key) {
		*entry = (struct strmap_entry){ .key = mem_string(key), .value = fresh };
		map->n++;
	}
	return entry->value;
}

uint32_t strmap_get(const struct strmap *map, const char *key)
{
	if (!map->slots)
		return MAP_NONE;
	const struct strmap_entry *entry = find_string_entry(map, key);
	return entry->key ? entry->value : MAP_NONE;
}

void strmap_free(struct strmap *map)
{
	for (size_t i = 0; i < map->slots; i++)
		free(map->slot[i].key);
	free(map->slot);
	*map = (struct strmap){ 0 };
}
