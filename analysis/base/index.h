/* SPDX-License-Identifier: BSD-3-Clause */
/* index.h - a hash table that finds the items of a list by their key, a pair of numbers that each
 * item holds. A slot takes only four bytes, because the table does not store the keys again. (A map
 * does.) An index of all zeros is empty. The list belongs to the caller, and its items must keep
 * their numbers. */
#ifndef SIS_ANALYSIS_INDEX_H
#define SIS_ANALYSIS_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index { uint32_t *slot; size_t slots, n; }; /* a slot: an item's number + 1; 0: free */
struct index_key { uint64_t a, b; };
typedef struct index_key index_key_of(const void *list, uint32_t item);

/* The item with the key (a, b). If there is none, the result is `fresh`, and the caller appends the
 * item with this number to the list before the next call. */
uint32_t index_put(struct index *index, index_key_of *key_of, const void *list, uint64_t a,
		   uint64_t b, uint32_t fresh);
/* The item with the key (a, b); INDEX_NONE: there is none. */
uint32_t index_get(const struct index *index, index_key_of *key_of, const void *list, uint64_t a,
		   uint64_t b);
void index_free(struct index *index);

#endif
