/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/stacks/task_origins.c */
/* Where tasks are created: recursion and damaged programs have few origins, and a stack that has
 * changed is not taken for the one before. */
#include "unit.h"

#include "blame/stacks/task_origins.h"

enum { FRAMES = 6 };

/* As a thread does: the origin of a task that is created with this stack inside `outer`. */
static const struct sis_task_origin *create(uint64_t hash, const struct sis_task_origin *outer)
{
	static uint64_t offset = 4096;
	const struct sis_task_origin *known = sis__task_origin_known(outer, hash);
	return known ? known : sis__task_origin(offset += 64, hash, outer);
}

START_TEST(an_origin_is_one_place_in_the_file)
{
	const struct sis_task_origin *a = sis__task_origin(4096, 1, NULL);
	ck_assert_ptr_eq(sis__task_origin(4096, 1, NULL), a);
	ck_assert_ptr_ne(sis__task_origin(4160, 2, NULL), a);
	ck_assert_uint_eq(a->offset, 4096);
	sis__task_origins_new_process();
	ck_assert_uint_eq(a->offset, 0);
}
END_TEST

START_TEST(recursion_has_few_origins)
{
	const struct sis_task_origin *a = create(1, NULL), *b = create(2, a);
	ck_assert_ptr_eq(create(1, a), a);
	ck_assert_ptr_eq(create(1, b), a);
	ck_assert_ptr_eq(create(2, b), b);
	ck_assert_ptr_eq(b->outer, a);
}
END_TEST

START_TEST(nesting_without_end_has_an_end)
{
	const struct sis_task_origin *at = NULL, *before = NULL;
	uint32_t depth = 0;
	for (uint64_t i = 1; i < 100; i++, before = at) {
		at = create(i, before);
		ck_assert_ptr_nonnull(at);
		ck_assert(at == before || at->outer == before);
		depth += at != before;
	}
	ck_assert_uint_eq(depth, 8);
}
END_TEST

START_TEST(a_table_that_is_full_gives_the_task_around)
{
	const struct sis_task_origin *a = create(1, NULL), *at = NULL;
	uint64_t n = 0;
	while ((at = create(++n + 1, a)) != a)
		ck_assert_uint_lt(n, 1 << 20);
	ck_assert_ptr_eq(create(1ull << 40, a), a);
	ck_assert_ptr_null(create(1ull << 40, NULL));
}
END_TEST

/* -- what is remembered ------------------------------------------------------------------------ */

static uint64_t stack[FRAMES * 4]; /* the last word of each frame is its return address */
static uint64_t pc[FRAMES], end[FRAMES];

static void make_stack(void)
{
	for (uint64_t i = 0; i < FRAMES; i++) {
		pc[i] = 1000 + i;
		end[i] = (uint64_t)(uintptr_t)(stack + 4 * (i + 1));
		stack[4 * i + 3] = 1001 + i;
	}
}

START_TEST(a_stack_is_remembered_until_it_changes)
{
	struct sis_made *made = NULL;
	const struct sis_task_origin *a = create(1, NULL);
	make_stack();
	const struct sis_creation creation = { (void *)1001, stack + 4, NULL, 0 };
	ck_assert_ptr_null(sis__made_find(made, &creation));
	struct sis_made *place = sis__made_at(&made, &creation);
	ck_assert(sis__made_note(place, &creation, pc, end, FRAMES));
	ck_assert_ptr_null(sis__made_find(made, &creation)); /* it is not complete */
	sis__made_set(place, &creation, a);
	ck_assert_ptr_eq(sis__made_find(made, &creation), a);
	stack[3]++; /* of a call inside of the creation's frame */
	ck_assert_ptr_eq(sis__made_find(made, &creation), a);
	for (unsigned i = 1; i + 1 < FRAMES; i++) {
		stack[4 * i + 3]++;
		ck_assert_ptr_null(sis__made_find(made, &creation));
		stack[4 * i + 3]--;
	}
	struct sis_creation other = creation;
	other.outer = a;
	ck_assert_ptr_null(sis__made_find(made, &other));
	other = creation;
	other.team = 4096;
	ck_assert_ptr_null(sis__made_find(made, &other));
	sis__made_free(made);
}
END_TEST

START_TEST(a_stack_that_is_too_deep_is_not_remembered)
{
	static uint64_t deep[128], deep_pc[128], deep_end[128];
	struct sis_made *made = NULL;
	const struct sis_creation creation = { (void *)1, deep, NULL, 0 };
	for (unsigned i = 0; i < 128; i++)
		deep_end[i] = (uint64_t)(uintptr_t)(deep + i + 1);
	struct sis_made *place = sis__made_at(&made, &creation);
	ck_assert(!sis__made_note(place, &creation, deep_pc, deep_end, 128));
	ck_assert_ptr_null(sis__made_find(made, &creation));
	sis__made_free(made);
}
END_TEST

UNIT_MAIN("task_origins", an_origin_is_one_place_in_the_file, recursion_has_few_origins,
	  nesting_without_end_has_an_end, a_table_that_is_full_gives_the_task_around,
	  a_stack_is_remembered_until_it_changes, a_stack_that_is_too_deep_is_not_remembered)
