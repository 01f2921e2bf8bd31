/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Which regions of several experiments are the same. */
#include "unit.h"
#include "answers/query/region_times.h"

static struct region_times times;

static struct region_times *of(const char *const *key, const char *file)
{
	vec_free(&times.region);
	for (; *key; key++)
		*vec_push(&times.region) = (struct region_time){ .key = (char *)*key,
								 .name = (char *)*key,
								 .file = (char *)file };
	return &times;
}

/* Adds an experiment; its numbers as digits. */
static const char *added(struct region_union *all, struct region_times *list)
{
	static char text[16];
	size_t *number = region_union_add(all, list), i;
	for (i = 0; i < list->region.n; i++)
		text[i] = (char)('0' + number[i]);
	text[i] = 0;
	free(number);
	return text;
}

START_TEST(regions_are_in_the_union_once)
{
	struct region_union all = { 0 };
	struct region_times first = { 0 }, second = { 0 }, third = { 0 };
	static const char *const a[] = { "p.c:f:CR_F:f:0", "p.c:g:CR_F:g:0", NULL },
				 *const b[] = { "new/p.c:g:CR_F:g:0", "new/p.c:h:CR_F:h:0", NULL },
				 *const c[] = { "new/p.c:h:CR_F:h:0", "new/p.c:f:CR_F:f:0", NULL };
	first = *of(a, "p.c"), times = (struct region_times){ 0 };
	second = *of(b, "new/p.c"), times = (struct region_times){ 0 };
	third = *of(c, "new/p.c");
	ck_assert_str_eq(added(&all, &first), "01");
	ck_assert_str_eq(added(&all, &second), "12");
	ck_assert_str_eq(added(&all, &third), "20");
	ck_assert_int_eq(all.region.n, 3);
	ck_assert_str_eq(all.region.at[0]->key, "new/p.c:f:CR_F:f:0");
	region_union_release(&all);
	vec_free(&first.region), vec_free(&second.region), vec_free(&third.region);
}
END_TEST

/* Two regions of one key in the first experiment stay two, as none of them can be paired. */
START_TEST(ambiguous_keys_stay_apart)
{
	struct region_union all = { 0 };
	struct region_times first = { 0 }, second = { 0 };
	static const char *const a[] = { "k", "k", "l", NULL }, *const b[] = { "k", "l", NULL };
	first = *of(a, ""), times = (struct region_times){ 0 };
	second = *of(b, "");
	ck_assert_str_eq(added(&all, &first), "012");
	ck_assert_str_eq(added(&all, &second), "32");
	region_union_release(&all);
	vec_free(&first.region), vec_free(&second.region);
}
END_TEST

UNIT_MAIN("region_times", regions_are_in_the_union_once, ambiguous_keys_stay_apart)
