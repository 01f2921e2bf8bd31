/* SPDX-License-Identifier: BSD-3-Clause */
/* Folded recursion against a naive model of it: counts, times to the tick, unbalanced leaves. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "rt_support.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Check writes a line for each of its own assertions: too slow for what is done very often. */
#define EXPECT(right) do { if (!(right)) ck_abort_msg("%s", #right); } while (0)

/* -- a naive model: each activation keeps a copy of the path that it was entered on ----------- */

enum { MODEL_NODES = 100000, REGIONS = 5, DEPTH = 60, ROOM = DEPTH + 1, STEPS = 20000 };

struct model_node { int parent, region; uint64_t calls, total, min, max; };
struct model_path { int count, activation[ROOM]; }; /* [0] is the root's */
struct model_activation {
	int region, node;
	bool folded;
	uint64_t ticks;           /* while its node was on the path; folded: since it began */
	struct model_path before; /* the path when it began */
};

static struct model_node model[MODEL_NODES];
static int model_nodes = 1, model_child[MODEL_NODES][REGIONS]; /* 0: none */
static struct model_activation stack[ROOM];
static int open_ones = 1;
static struct model_path path = { 1, { 0 } };
static uint64_t model_unwound, model_mismatched;
static unsigned limit;

static int current(void)
{
	return stack[path.activation[path.count - 1]].node;
}

/* Where the path has the last of `limit` nodes of the region; 0: it has not as many. */
static int fold_at(int region)
{
	unsigned found = 0;
	int last = 0;
	for (int i = 1; i < path.count; i++)
		if (model[stack[path.activation[i]].node].region == region) {
			found++;
			last = i;
		}
	return limit && found >= limit ? last : 0;
}

static int model_make(int parent, int region)
{
	int *child = &model_child[parent][region];
	if (*child == 0) {
		*child = model_nodes++;
		EXPECT(*child < MODEL_NODES);
		model[*child] = (struct model_node){ parent, region, 0, 0, UINT64_MAX, 0 };
	}
	return *child;
}

static void model_enter(int region)
{
	struct model_activation *new = &stack[open_ones];
	int level = fold_at(region);
	*new = (struct model_activation){ .region = region, .folded = level > 0, .before = path };
	if (level) {
		new->node = stack[path.activation[level]].node;
		path.count = level + 1;
	} else {
		new->node = model_make(current(), region);
		path.activation[path.count++] = open_ones;
	}
	model[new->node].calls++;
	open_ones++;
}

static void model_close(void)
{
	struct model_activation *old = &stack[--open_ones];
	struct model_node *node = &model[old->node];
	path = old->before;
	node->min = old->ticks < node->min ? old->ticks : node->min;
	node->max = old->ticks > node->max ? old->ticks : node->max;
}

static void model_leave(int region)
{
	int at = open_ones - 1;
	while (at && stack[at].region != region)
		at--;
	if (!at) {
		model_mismatched++;
		return;
	}
	model_unwound += (uint64_t)(open_ones - 1 - at);
	while (open_ones > at)
		model_close();
}

static void model_pass(uint64_t ticks)
{
	for (int i = 1; i < path.count; i++) {
		model[stack[path.activation[i]].node].total += ticks;
		stack[path.activation[i]].ticks += ticks;
	}
	for (int i = 1; i < open_ones; i++)
		if (stack[i].folded)
			stack[i].ticks += ticks;
}

/* -- the same with the runtime, at times that the test makes up -------------------------------- */

static struct sis_node *handle[ROOM];
static uint64_t now;
static bool by_probes; /* its own clock, so counts only */

static void pass(void)
{
	uint64_t ticks = (uint64_t)rand() % 100;
	now += ticks;
	model_pass(ticks);
}

static void enter(int region)
{
	struct sis_thread *thread = sis__thread();
	if (by_probes)
		sis__enter(&sis__unit, &sis__regions[region]);
	else
		handle[open_ones] = sis__begin(thread, rt_id(region), now);
	model_enter(region);
}

static void leave(int region)
{
	int at = open_ones - 1;
	while (at && stack[at].region != region)
		at--;
	if (by_probes)
		sis__leave(&sis__regions[region]);
	else if (at)
		sis__end(sis__thread(), handle[at], now);
	if (by_probes || at)
		model_leave(region);
}

static void one_step(void)
{
	int region = rand() % REGIONS;
	pass();
	if (rand() % 100 < 55 && open_ones < ROOM)
		enter(region);
	else
		leave(rand() % 100 < 93 && open_ones > 1 ? stack[open_ones - 1].region : region);
	EXPECT((sis__thread()->pub.current->region == RT_RUN) == (path.count == 1));
}

static void compare(struct sis_node *real, int node, unsigned on_path[REGIONS])
{
	struct sis_node *child = real->last_child;
	uint64_t below = 0;
	uint32_t children = 0;
	for (int region = 0; region < REGIONS; region++)
		children += model_child[node][region] != 0;
	for (uint32_t i = 0; i < real->children; i++, child = child->next) {
		if (child->region == RT_PROBE) /* the runtime's own */
			continue;
		int region = (int)(sis_node_region(child) - SIS_FIRST_UNIT_ID);
		int expected = model_child[node][region];
		children--;
		EXPECT(expected != 0);
		EXPECT(child->calls == model[expected].calls);
		EXPECT(child->min <= child->max);
		if (!by_probes) {
			EXPECT(child->total == model[expected].total);
			EXPECT(child->min == model[expected].min);
			EXPECT(child->max == model[expected].max);
		}
		EXPECT(++on_path[region] <= (limit ? limit : DEPTH));
		compare(child, expected, on_path);
		on_path[region]--;
		below += child->total;
	}
	EXPECT(children == 0);
	if (node)
		EXPECT(below <= real->total);
}

static void walk(void)
{
	unsigned on_path[REGIONS] = { 0 };
	srand(20261122 + limit);
	sis__config.recursion = limit;
	rt_unit();
	struct sis_thread *thread = sis__thread(); /* from here on unbalanced leaves are counted */
	now = sis__ticks();
	for (int i = 0; i < STEPS && model_nodes < MODEL_NODES - 1; i++)
		one_step();
	while (open_ones > 1)
		leave(stack[open_ones - 1].region);
	ck_assert_ptr_eq(thread->pub.current, thread->pub.root);
	ck_assert_uint_eq(thread->folds, 0);
	ck_assert_uint_eq(thread->pub.unwound, model_unwound);
	ck_assert_uint_eq(thread->pub.mismatched, model_mismatched);
	ck_assert_uint_gt(model_unwound, 100);
	compare(thread->pub.root, 0, on_path);
}

static void walk_with(unsigned most, bool probes)
{
	struct rt_run run;
	limit = most;
	by_probes = probes;
	rt_run(&run, walk);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 1);
	rt_check_whole(&run.profile[0]);
	rt_free(&run);
}

START_TEST(random_recursion_agrees_with_the_model)
{
	static const unsigned limits[] = { 1, 3, 7, 32, 0 };
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		walk_with(limits[i], false);
		walk_with(limits[i], true);
	}
}
END_TEST

/* -- single rules ------------------------------------------------------------------------------ */

enum { FEW = 4, MANY = 1000000 };

static void check_balanced(const struct rt_profile *p)
{
	ck_assert_uint_eq(rt_thread(p, 0)->unwound, 0);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched, 0);
}

/* The node at the end of `first`, `second`, `first`, ... below the root, `depth` of them. */
static struct sis_node *alternating(const struct rt_profile *p, int first, int second, int depth)
{
	struct sis_node *node = rt_node(p, 0, -1);
	for (int i = 0; node && i < depth; i++) {
		uint32_t id = rt_id(i % 2 ? second : first);
		struct sis_node *child = rt_at(p, node->last_child);
		for (uint32_t k = 0; k < node->children && sis_node_region(child) != id; k++)
			child = rt_at(p, child->next);
		node = child && sis_node_region(child) == id ? child : NULL;
	}
	return node;
}

static void deep(void)
{
	rt_unit();
	for (int i = 0; i < MANY; i++)
		SIS_ENTER(1)
	for (int i = 0; i < MANY; i++)
		SIS_LEAVE(1)
}

START_TEST(a_million_activations_are_thirty_two_nodes)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, deep);
	ck_assert_uint_eq(alternating(p, 1, 1, 31)->calls, 1);
	ck_assert_uint_eq(alternating(p, 1, 1, 32)->calls, MANY - 31);
	ck_assert_ptr_null(alternating(p, 1, 1, 33));
	check_balanced(p);
	ck_assert_uint_eq(rt_thread(p, 0)->dropped_nodes, 0);
	ck_assert_uint_lt(p->length, 512 << 10);
	rt_free(&run);
}
END_TEST

static void killed(void)
{
	sis__config.recursion = FEW;
	rt_unit();
	for (int i = 0; i < 1000; i++) {
		SIS_ENTER(1)
		SIS_ENTER(2)
	}
	kill(getpid(), SIGKILL);
}

/* The path to the current node is open. What is suspended has its time in its total. */
START_TEST(a_killed_process_leaves_times_that_fit_each_other)
{
	struct rt_run run;
	rt_run(&run, killed);
	struct rt_profile *p = &run.profile[0];
	struct sis_profile_thread *thread = rt_thread(p, 0);
	struct sis_node *last = alternating(p, 1, 2, 2 * FEW);
	struct sis_node *before = alternating(p, 1, 2, 2 * FEW - 1);
	ck_assert_int_eq(WTERMSIG(run.status), SIGKILL);
	ck_assert_ptr_null(alternating(p, 1, 2, 2 * FEW + 1));
	ck_assert_uint_eq(before->calls, 1000 - FEW + 1);
	ck_assert_uint_eq(last->calls, 1000 - FEW + 1);
	ck_assert_ptr_eq(rt_at(p, thread->current), last);
	uint64_t outer = before->total + (thread->stamp - before->start);
	uint64_t inner = last->total + (thread->stamp - last->start);
	ck_assert_uint_gt(inner, 0);
	ck_assert_uint_le(inner, outer);
	ck_assert_uint_le(outer, thread->stamp - alternating(p, 1, 2, 2 * FEW - 2)->start);
	rt_free(&run);
}
END_TEST

static void forked(void)
{
	sis__config.recursion = FEW;
	rt_unit();
	for (int i = 0; i < 10; i++) {
		SIS_ENTER(1)
		SIS_ENTER(2)
	}
	pid_t child = fork();
	SIS_ENTER(3) /* a child is measured from its first enter on */
	SIS_LEAVE(3)
	for (int i = 0; i < 10; i++) {
		SIS_LEAVE(2)
		SIS_LEAVE(1)
	}
	if (child)
		waitpid(child, NULL, 0);
}

/* What is open at the fork has begun in the child there, each activation once. */
START_TEST(a_forked_child_returns_through_folded_activations)
{
	struct rt_run run;
	rt_run(&run, forked);
	ck_assert_int_eq(run.profiles, 2);
	for (int i = 0; i < 2; i++) {
		struct rt_profile *p = &run.profile[i];
		uint64_t life = p->header->end.ticks - p->header->start.ticks;
		rt_check_whole(p);
		for (int depth = 1; depth <= 2 * FEW; depth++) {
			struct sis_node *node = alternating(p, 1, 2, depth);
			ck_assert_uint_eq(node->calls, depth < 2 * FEW - 1 ? 1 : 10 - FEW + 1);
			ck_assert_uint_le(node->total, life);
			ck_assert_uint_le(node->min, node->max);
		}
		check_balanced(p);
	}
	rt_free(&run);
}
END_TEST

static void jumps(void)
{
	volatile struct sis__mark mark;
	sis__config.recursion = FEW;
	rt_unit();
	for (int i = 0; i < 100; i++)
		SIS_ENTER(1)
	sis_jump_mark(&mark, 0);
	for (int i = 0; i < 50; i++) {
		SIS_ENTER(2)
		SIS_ENTER(1)
	}
	sis_jump_mark(&mark, 1);
	struct sis_thread *thread = sis__thread();
	ck_assert_uint_eq(thread->folds, (100 - FEW) * sizeof(struct sis_fold) / sizeof(uint64_t));
	for (int i = 0; i < 100; i++)
		SIS_LEAVE(1)
	ck_assert_uint_eq(thread->folds, 0);
	ck_assert_ptr_eq(thread->pub.current, thread->pub.root);
}

START_TEST(a_jump_back_ends_what_was_folded_since)
{
	struct rt_run run;
	rt_run(&run, jumps);
	struct rt_profile *p = &run.profile[0];
	ck_assert_int_eq(run.status, 0);
	ck_assert_uint_eq(alternating(p, 1, 1, FEW)->calls, 100 - FEW + 1 + 50);
	check_balanced(p);
	rt_free(&run);
}
END_TEST

static void waits(void)
{
	sis__config.recursion = FEW;
	rt_unit();
	struct sis_thread *thread = sis__thread();
	uint64_t before = 0;
	SIS_ENTER(1)
	for (int i = 0; i < 20; i++) {
		sis__begin(thread, RT_TASKWAIT, sis__ticks());
		ck_assert_uint_ge(sis__innermost_start(thread), before);
		before = sis__ticks();
		sis__begin(thread, rt_id(1), before);
	}
	for (int i = 0; i < 20; i++) {
		SIS_LEAVE(1)
		sis__end(thread, thread->pub.current, sis__ticks());
	}
	SIS_LEAVE(1)
	ck_assert_uint_eq(thread->folds, 0);
}

/* Of each the beginning is known. */
START_TEST(waits_with_work_inside_fold_too)
{
	struct rt_run run;
	rt_run(&run, waits);
	ck_assert_int_eq(run.status, 0);
	check_balanced(&run.profile[0]);
	rt_check_whole(&run.profile[0]);
	rt_free(&run);
}
END_TEST

static void overlap(int depth)
{
	sis__overlap_enter(&sis__unit, &sis__regions[1]);
	sis__overlap_enter(&sis__unit, &sis__regions[2]);
	if (depth > 1)
		overlap(depth - 1);
	sis__overlap_leave(&sis__regions[1]);
	sis__overlap_leave(&sis__regions[2]); /* has gone on by itself */
}

static void overlaps(void)
{
	sis__config.recursion = FEW;
	rt_unit();
	overlap(20);
	struct sis_thread *thread = sis__thread();
	ck_assert_ptr_eq(thread->pub.current, thread->pub.root);
	ck_assert_uint_eq(thread->folds, 0);
	ck_assert_uint_eq(thread->overlaps, 0);
}

static uint64_t calls_below(const struct rt_profile *p, struct sis_node *node, uint32_t id)
{
	uint64_t calls = sis_node_region(node) == id ? node->calls : 0, below = 0;
	struct sis_node *child = rt_at(p, node->last_child);
	for (uint32_t i = 0; i < node->children; i++, child = rt_at(p, child->next)) {
		calls += calls_below(p, child, id);
		below += child->total;
	}
	ck_assert_uint_le(below, node->total);
	return calls;
}

START_TEST(regions_that_overlap_fold_too)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, overlaps);
	check_balanced(p);
	ck_assert_uint_eq(calls_below(p, rt_node(p, 0, -1), rt_id(1)), 20);
	ck_assert_uint_eq(calls_below(p, rt_node(p, 0, -1), rt_id(2)), 20);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("fold", random_recursion_agrees_with_the_model,
	  a_million_activations_are_thirty_two_nodes,
	  a_killed_process_leaves_times_that_fit_each_other,
	  a_forked_child_returns_through_folded_activations, a_jump_back_ends_what_was_folded_since,
	  waits_with_work_inside_fold_too, regions_that_overlap_fold_too)
