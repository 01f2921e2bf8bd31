/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.h - compares numbers, sorts growing arrays, and searches in sorted items. */
#ifndef SIS_ANALYSIS_SORT_H
#define SIS_ANALYSIS_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Compares two numbers: -1, 0 or 1. A comparator joins its keys with ?:, the most important key
 * first: return ORDER(a->slot, b->slot) ?: ORDER(a->time, b->time); */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static inline int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Sorts the items of a VEC from index `first` on. An empty VEC is a NULL pointer, which qsort must
 * not get. */
#define vec_sort_from(v, first, compare) \
	((v)->n > (first) \
		 ? qsort((v)->at + (first), (v)->n - (first), sizeof *(v)->at, compare) \
		 : (void)0)

/* Sorts a VEC. */
#define vec_sort(v, compare) vec_sort_from(v, 0, compare)

/* The first index `i` of [low, high) at which `is_before`, an expression in `i`, is false; `high`
 * if there is none. In the order of `i`, `is_before` must be true first and then false. */
#define search_first(i, low, high, is_before) \
	({ \
		size_t search_low = (low), search_high = (high); \
		while (search_low < search_high) { \
			size_t i = search_low + (search_high - search_low) / 2; \
			if (is_before) \
				search_low = i + 1; \
			else \
				search_high = i; \
		} \
		search_low; \
	})

#endif
