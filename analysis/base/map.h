/* SPDX-License-Identifier: BSD-3-Clause */
/* map.h - hash maps whose values are 32-bit numbers. The key is a pair of numbers (map) or a string
 * (strmap). A map of all zeros is empty. */
#ifndef SIS_ANALYSIS_MAP_H
#define SIS_ANALYSIS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_entry { uint64_t a, b; uint32_t value; bool used; };
struct map { struct map_entry *slot; size_t slots, n; };

/* The value of the key (a, b). A new key gets the value `fresh`, and *is_new becomes true. `is_new`
 * may be NULL. */
uint32_t map_put(struct map *map, uint64_t a, uint64_t b, uint32_t fresh, bool *is_new);
uint32_t map_get(const struct map *map, uint64_t a, uint64_t b); /* MAP_NONE: no such key */
void map_free(struct map *map);
size_t map_hash(uint64_t a, uint64_t b);

struct strmap_entry { char *key; uint32_t value; };
struct strmap { struct strmap_entry *slot; size_t slots, n; };

uint32_t strmap_put(struct strmap *map, const char *key, uint32_t fresh, bool *is_new);
uint32_t strmap_get(const struct strmap *map, const char *key);
void strmap_free(struct strmap *map);

#endif
