/* SPDX-License-Identifier: BSD-3-Clause */
/* The call graph against a naive model of it, and the rules for activations that do not nest. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "rt_support.h"

#include <setjmp.h>
#include <stdlib.h>

/* -- a naive model: an array of (parent, region) ----------------------------------------------- */

enum { MODEL_NODES = 200000, DEPTH = 9, REGIONS = 40 };

static struct { int parent, region; uint64_t calls; } model[MODEL_NODES];
static int model_nodes, model_current;
static uint64_t model_unwound, model_mismatched;
static int (*model_child)[REGIONS]; /* 0: none */

static void model_enter(int region)
{
	int *place = &model_child[model_current][region];
	if (*place == 0) {
		*place = ++model_nodes;
		model[*place].parent = model_current;
		model[*place].region = region;
	}
	model[*place].calls++;
	model_current = *place;
}

static void model_leave(int region)
{
	int node = model_current, between = 0;
	for (; node && model[node].region != region; node = model[node].parent)
		between++;
	if (node == 0) {
		model_mismatched++;
		return;
	}
	model_unwound += (uint64_t)between;
	model_current = model[node].parent;
}

static int model_depth(void)
{
	int depth = 0;
	for (int node = model_current; node; node = model[node].parent)
		depth++;
	return depth;
}

static void one_step(void)
{
	int choice = rand() % 100, region = rand() % REGIONS;
	if (choice < 50 && model_depth() < DEPTH && model_nodes < MODEL_NODES - 1) {
		model_enter(region);
		sis__enter(&sis__unit, &sis__regions[region]);
	} else {
		if (choice < 95 && model_current)
			region = model[model_current].region;
		model_leave(region);
		sis__leave(&sis__regions[region]);
	}
}

/* Children by region, in the order of the model's index: what `index` holds must be what the ring
 * holds. */
static void compare(struct sis_node *real, int node)
{
	uint32_t children = 0;
	for (int region = 0; region < REGIONS; region++)
		children += model_child[node][region] != 0;
	struct sis_node *child = real->last_child;
	uint64_t below = 0;
	for (uint32_t i = 0; i < real->children; i++, child = child->next) {
		if (child->region == RT_PROBE) /* the runtime's own */
			continue;
		children--;
		int expected = model_child[node][child->region - SIS_FIRST_UNIT_ID];
		ck_assert_int_ne(expected, 0);
		ck_assert_uint_eq(child->calls, model[expected].calls);
		ck_assert_ptr_eq(child->parent, real);
		ck_assert_uint_le(child->min, child->max);
		compare(child, expected);
		below += child->total;
	}
	ck_assert_uint_eq(children, 0);
	if (node)
		ck_assert_uint_le(below, real->total);
}

static void random_walk(void)
{
	model_child = calloc(MODEL_NODES, sizeof *model_child);
	srand(20261121);
	rt_unit();
	sis__config.recursion = 0; /* the model has a node for each path */
	sis__thread(); /* leaves before a thread's first enter have nobody to be counted by */
	for (int i = 0; i < 300000; i++)
		one_step();
	while (model_current)
		one_step();
	struct sis_thread *thread = sis__thread();
	ck_assert_ptr_eq(thread->pub.current, thread->pub.root);
	ck_assert_uint_eq(thread->pub.unwound, model_unwound);
	ck_assert_uint_eq(thread->pub.mismatched, model_mismatched);
	ck_assert_uint_gt(model_unwound, 1000);
	ck_assert_uint_gt(model_mismatched, 1000);
	compare(thread->pub.root, 0);
	free(model_child);
}

START_TEST(random_walk_agrees_with_the_model)
{
	struct rt_run run;
	rt_run(&run, random_walk);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 1);
	ck_assert_uint_eq(run.profile[0].header->state, SIS_STATE_ENDED);
	rt_check_whole(&run.profile[0]);
	rt_free(&run);
}
END_TEST

/* -- single rules ------------------------------------------------------------------------------ */

static void siblings(void)
{
	rt_unit();
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 1000; i++) {
			int region = round == 1 ? 999 - i : i;
			sis__enter(&sis__unit, &sis__regions[region]);
			sis__leave(&sis__regions[region]);
		}
}

START_TEST(a_thousand_siblings_are_a_thousand_nodes)
{
	struct rt_run run;
	rt_run_whole(&run, siblings);
	ck_assert_uint_eq(rt_children(&run.profile[0], rt_node(&run.profile[0], 0, -1)), 1000);
	for (int i = 0; i < 1000; i++)
		ck_assert_uint_eq(rt_node(&run.profile[0], 0, i, -1)->calls, 3);
	rt_free(&run);
}
END_TEST

static void recurse(int depth)
{
	SIS_SCOPE(1)
	if (depth > 1)
		recurse(depth - 1);
}

static void recursion(void)
{
	rt_unit();
	recurse(64);
	recurse(3);
}

START_TEST(recursion_is_a_node_for_each_depth)
{
	struct rt_run run;
	rt_run(&run, recursion);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(rt_node(p, 0, 1, -1)->calls, 2);
	ck_assert_uint_eq(rt_node(p, 0, 1, 1, 1, -1)->calls, 2);
	ck_assert_uint_eq(rt_node(p, 0, 1, 1, 1, 1, -1)->calls, 1);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched + rt_thread(p, 0)->unwound, 0);
	rt_free(&run);
}
END_TEST

static void muted_halves(void)
{
	rt_unit();
	SIS_ENTER(1)
	sis_measure(0);
	recurse(5); /* nothing of it is measured */
	sis_measure(0);
	SIS_LEAVE(1) /* entered before, so it ends here */
	sis_measure(1);
	recurse(5);
	sis_measure(1);
	sis_measure(1); /* one too many is harmless */
	SIS_ENTER(2)
	SIS_LEAVE(2)
}

/* The node of the time that was not measured, below `parent`. */
static const struct sis_node *unmeasured(const struct rt_profile *p, const struct sis_node *parent)
{
	const struct sis_node *node = rt_at(p, parent->last_child), *first = node;
	do {
		if (node && sis_node_region(node) == RT_UNMEASURED)
			return node;
		node = node ? rt_at(p, node->next) : NULL;
	} while (node && node != first);
	ck_abort_msg("everything was measured");
}

START_TEST(muted_time_has_nodes_and_what_was_open_ends)
{
	struct rt_run run;
	rt_run(&run, muted_halves);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(rt_node(p, 0, 1, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(p, 0, 1, -1)->children, 1);
	ck_assert_uint_eq(unmeasured(p, rt_node(p, 0, 1, -1))->calls, 1);
	ck_assert_uint_eq(unmeasured(p, rt_node(p, 0, -1))->calls, 1);
	ck_assert_uint_eq(unmeasured(p, rt_node(p, 0, 1, -1))->children, 0);
	ck_assert_uint_eq(rt_node(p, 0, 2, -1)->calls, 1);
	ck_assert_uint_eq(rt_children(p, rt_node(p, 0, -1)), 3);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched + rt_thread(p, 0)->unwound, 0);
	rt_free(&run);
}
END_TEST

static jmp_buf back;

static void jump(void)
{
	SIS_SCOPE(4)
	longjmp(back, 1);
}

static void jumps(void)
{
	rt_unit();
	SIS_ENTER(1)
	if (!setjmp(back))
		jump();
	SIS_LEAVE(1) /* closes region 4 as well */
	sis_measure(0);
	if (!setjmp(back))
		jump();
	sis_measure(1);
	SIS_ENTER(2)
	SIS_LEAVE(2)
}

START_TEST(a_jump_out_of_regions_costs_only_these)
{
	struct rt_run run;
	rt_run(&run, jumps);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(rt_node(p, 0, 1, 4, -1)->calls, 1);
	ck_assert_uint_gt(rt_node(p, 0, 1, 4, -1)->total, 0);
	ck_assert_uint_eq(rt_node(p, 0, 2, -1)->calls, 1);
	ck_assert_uint_eq(rt_children(p, rt_node(p, 0, -1)), 3);
	ck_assert_uint_eq(unmeasured(p, rt_node(p, 0, -1))->calls, 1);
	ck_assert_uint_eq(rt_thread(p, 0)->unwound, 1);
	rt_free(&run);
}
END_TEST

static void booked(void)
{
	rt_unit();
	struct sis_thread *thread = sis__thread();
	struct sis_node *outer = sis__begin(thread, rt_id(1), sis__ticks());
	sis__begin(thread, rt_id(2), sis__ticks());
	sis__book(thread, outer, rt_id(3), 1000);
	sis__book(thread, outer, rt_id(3), 500);
	sis__end(thread, outer, sis__ticks()); /* ends region 2 as well */
	sis__end(thread, outer, sis__ticks()); /* not open any more */
	sis__end(thread, NULL, sis__ticks());
	ck_assert_ptr_eq(thread->pub.current, thread->pub.root);
	ck_assert_ptr_ne(sis__child(thread, outer, rt_id(3), outer),
			 sis__child(thread, outer, rt_id(3), NULL));
}

START_TEST(begin_end_and_book_for_the_rest_of_the_runtime)
{
	struct rt_run run;
	rt_run(&run, booked);
	ck_assert_int_eq(run.status, 0);
	struct rt_profile *p = &run.profile[0];
	struct sis_node *outer = rt_node(p, 0, 1, -1);
	ck_assert_uint_eq(outer->children, 3); /* region 3 with an origin is another node */
	ck_assert_uint_eq(rt_node(p, 0, 1, 2, -1)->calls, 1);
	ck_assert_uint_eq(rt_thread(p, 0)->unwound, 1);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched, 1);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("drg", random_walk_agrees_with_the_model, a_thousand_siblings_are_a_thousand_nodes,
	  recursion_is_a_node_for_each_depth, muted_time_has_nodes_and_what_was_open_ends,
	  a_jump_out_of_regions_costs_only_these,
	  begin_end_and_book_for_the_rest_of_the_runtime)
