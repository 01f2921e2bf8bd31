/* SPDX-License-Identifier: BSD-3-Clause */
/* index.h - finds the items of a list by a pair of numbers that each item holds. A slot takes four
 * bytes, where a map stores the keys, too. All zeros is an empty index. The list belongs to the
 * caller, and its items keep their numbers. */
#ifndef SIS_ANALYSIS_INDEX_H
#define SIS_ANALYSIS_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index { uint32_t *slot; size_t slots, n; }; /* a slot: an item's number + 1; 0: free */
struct index_key { uint64_t a, b; };
typedef struct index_key index_key_of(const void *list, uint32_t item);

/* The item of (a, b); a new one gets the number `fresh`, and the caller appends it to the list
 * before the next call. */
uint32_t index_put(struct index *index, index_key_of *key_of, const void *list, uint64_t a,
		   uint64_t b, uint32_t fresh);
/* INDEX_NONE if there is no such item. */
uint32_t index_get(const struct index *index, index_key_of *key_of, const void *list, uint64_t a,
		   uint64_t b);
void index_free(struct index *index);

#endif
