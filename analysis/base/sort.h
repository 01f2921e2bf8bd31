/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.h - order: comparison of numbers, sorting of growing arrays, binary search. */
#ifndef SIS_ANALYSIS_SORT_H
#define SIS_ANALYSIS_SORT_H

#include <stddef.h>
#include <stdlib.h>

/* -1, 0 or 1. Comparators join several with ?:, the first key first: return ORDER(a->slot, b->slot)
 * ?: ORDER(a->time, b->time); */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Sorts the items of a VEC from index `first` on. qsort must not get the NULL of an empty one. */
#define vec_sort_from(v, first, compare) \
	((v)->n > (first) \
		 ? qsort((v)->at + (first), (v)->n - (first), sizeof *(v)->at, compare) \
		 : (void)0)

/* Sorts a VEC. */
#define vec_sort(v, compare) vec_sort_from(v, 0, compare)

/* The first index `i` of [low, high) at which `is_before`, an expression in `i`, is false; high if
 * there is none. The items for which it is true must come first. */
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
