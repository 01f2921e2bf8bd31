/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* test_index.c - indexes of lists: each item is found again, wherever its neighbours are, and
 * nothing else. */
#include "unit.h"

#include <stdlib.h>

#include "base/index.h"


static struct index_key list_key(const void *list, uint32_t item)
{
	return ((const struct index_key *)list)[item];
}

/* Neighbours in both numbers, far ones, and those that differ in the upper half only. */
static struct index_key nth(uint32_t i)
{
	return (struct index_key){ (uint64_t)(i % 100) << (i % 3 ? 0 : 33),
				   i / 100 * (i % 7 ? 1 : 1000003) };
}

START_TEST(every_item_is_found_again)
{
	enum { ITEMS = 50000 };
	struct index_key *list = malloc(ITEMS * sizeof *list);
	struct index index = { 0 };
	uint32_t n = 0;
	for (uint32_t i = 0; i < ITEMS; i++) {
		struct index_key key = nth(i);
		uint32_t at = index_put(&index, list_key, list, key.a, key.b, n);
		ck_assert_uint_le(at, n);
		if (at == n)
			list[n++] = key;
		ck_assert(list[at].a == key.a && list[at].b == key.b);
	}
	ck_assert_uint_gt(n, ITEMS / 2);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_uint_eq(index_get(&index, list_key, list, list[i].a, list[i].b), i);
	index_free(&index);
	free(list);
}
END_TEST

START_TEST(what_is_not_there_is_not_found)
{
	const struct index_key list[] = { { 5, 6 } };
	struct index index = { 0 };
	ck_assert_uint_eq(index_get(&index, list_key, list, 5, 6), INDEX_NONE);
	ck_assert_uint_eq(index_put(&index, list_key, list, 5, 6, 0), 0);
	ck_assert_uint_eq(index_get(&index, list_key, list, 6, 5), INDEX_NONE);
	ck_assert_uint_eq(index_get(&index, list_key, list, 4, 6), INDEX_NONE);
	ck_assert_uint_eq(index_get(&index, list_key, list, 5, 6), 0);
	index_free(&index);
}
END_TEST

UNIT_MAIN("index", every_item_is_found_again, what_is_not_there_is_not_found)
