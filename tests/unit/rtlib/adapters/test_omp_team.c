/* SPDX-License-Identifier: BSD-3-Clause */
/* test_omp_team.c - what teams, waits and tasks of libgomp leave in the trees. The calls are those
 * that gcc makes of OpenMP's constructs, so that every one of them stands here. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so -lgomp */
#include "unit.h"

#include "rt_support.h"

#include "adapters/omp/omp_signature.h"
#define __SISC__ 1
#include "sis/sis.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

void GOMP_parallel SIS_P_PARALLEL;
void GOMP_task SIS_P_TASK;
void GOMP_taskwait(void);
void GOMP_barrier(void);
bool GOMP_single_start(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void omp_set_max_active_levels(int levels);

enum { SLOTS = 3, REGIONS = 20, TASKS = 100 };

/* -- the trees --------------------------------------------------------------------------------- */

struct sum { uint64_t nodes, calls, total; };

static void add(const struct rt_profile *p, const struct sis_node *node, uint32_t id,
		struct sum *sum)
{
	uint64_t children = 0;
	const struct sis_node *child = rt_at(p, node->last_child);
	for (uint32_t i = 0; i < node->children; i++, child = rt_at(p, child->next)) {
		children += child->total;
		add(p, child, id, sum);
	}
	ck_assert_uint_le(children, node->total); /* no exclusive time is negative */
	if (node->region == id) {
		sum->nodes++;
		sum->calls += node->calls;
		sum->total += node->total;
	}
}

/* All nodes of a region in a unit's tree, which is checked on the way. */
static struct sum sum_of(const struct rt_profile *p, uint32_t slot, uint32_t id)
{
	struct sum sum = { 0, 0, 0 };
	const struct sis_profile_thread *thread = rt_thread(p, slot);
	ck_assert_ptr_nonnull(thread);
	ck_assert_uint_eq(thread->mismatched, 0);
	ck_assert_uint_eq(thread->dropped_nodes, 0);
	add(p, rt_at(p, thread->root), id, &sum);
	return sum;
}

static void expect(bool right)
{
	if (!right)
		_exit(1);
}

/* -- teams ------------------------------------------------------------------------------------- */

static void count(void *counter)
{
	__atomic_fetch_add((int *)counter, 1, __ATOMIC_RELAXED);
}

static void many_regions(void)
{
	int counter = 0;
	for (int i = 0; i < REGIONS; i++)
		GOMP_parallel(count, &counter, SLOTS, 0);
	expect(counter == SLOTS * REGIONS);
}

START_TEST(members_cover_the_region_from_fork_to_join)
{
	struct rt_run run;
	rt_run_whole(&run, many_regions);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(p->header->max_slots, SLOTS);
	uint64_t total = sum_of(p, 0, RT_PARALLEL).total;
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		ck_assert_uint_eq(sum_of(p, slot, RT_PARALLEL).nodes, 1);
		ck_assert_uint_eq(sum_of(p, slot, RT_PARALLEL).calls, REGIONS);
		ck_assert_uint_eq(sum_of(p, slot, RT_PARALLEL).total, total);
		ck_assert_uint_eq(sum_of(p, slot, RT_FORK).calls, REGIONS);
		ck_assert_uint_eq(sum_of(p, slot, RT_IBAR).calls, REGIONS);
		ck_assert_uint_eq(sum_of(p, slot, RT_JOIN).calls, REGIONS);
		ck_assert_uint_eq(sum_of(p, slot, RT_JOIN).total, sum_of(p, 0, RT_JOIN).total);
	}
	rt_free(&run);
}
END_TEST

/* The runtime of OpenMP creates threads after the fork. A signal handler may run there, too. */
static bool interrupts;
typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
SIS_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			      void *(*start)(void *), void *argument)
{
	creator *real = (creator *)dlsym(RTLD_NEXT, "pthread_create");
	if (interrupts) {
		SIS_REGION_BEGIN(handler);
		usleep(5000);
		SIS_REGION_END(handler);
	}
	return real(thread, attributes, start, argument);
}

static void interrupted_fork(void)
{
	int counter = 0;
	interrupts = true;
	GOMP_parallel(count, &counter, 2, 0);
	interrupts = false;
}

START_TEST(regions_of_a_handler_are_no_part_of_the_fork)
{
	struct rt_run run;
	rt_run_whole(&run, interrupted_fork);
	struct rt_profile *p = &run.profile[0];
	/* that no exclusive time is negative is checked on the way */
	ck_assert_uint_ge(sum_of(p, 0, RT_PARALLEL).total, 5 * (p->header->ticks_per_second / 1000));
	rt_free(&run);
}
END_TEST

static void outer(void *counter)
{
	GOMP_parallel(count, counter, 2, 0);
}

static void nested_regions(void)
{
	int counter = 0;
	omp_set_max_active_levels(2);
	GOMP_parallel(outer, &counter, 2, 0);
	expect(counter == 4);
}

START_TEST(nested_teams_take_units_of_their_own)
{
	struct rt_run run;
	uint64_t regions = 0;
	rt_run_whole(&run, nested_regions);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_ge(p->header->max_slots, 3);
	ck_assert_uint_le(p->header->max_slots, 4);
	for (uint32_t slot = 0; slot < p->header->max_slots; slot++)
		regions += sum_of(p, slot, RT_PARALLEL).calls;
	ck_assert_uint_eq(regions, 2 + 4);
	rt_free(&run);
}
END_TEST

static void muted_region(void)
{
	int counter = 0;
	GOMP_parallel(count, &counter, 1, 0);
	sis_measure(0);
	GOMP_parallel(count, &counter, SLOTS, 0);
	sis_measure(1);
	expect(counter == 1 + SLOTS);
}

START_TEST(a_muted_thread_forks_muted_threads)
{
	struct rt_run run;
	rt_run_whole(&run, muted_region);
	ck_assert_uint_eq(run.profile[0].header->max_slots, 1);
	ck_assert_uint_eq(sum_of(&run.profile[0], 0, RT_PARALLEL).calls, 1);
	rt_free(&run);
}
END_TEST

/* -- waits ------------------------------------------------------------------------------------- */

static void single(void *unused)
{
	(void)unused;
	if (GOMP_single_start())
		usleep(100000);
	GOMP_barrier();
}

static void a_single(void) { GOMP_parallel(single, NULL, SLOTS, 0); }

START_TEST(waiting_for_a_single_is_loss_of_parallelism)
{
	struct rt_run run;
	unsigned waited = 0;
	rt_run_whole(&run, a_single);
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		uint64_t alone = sum_of(&run.profile[0], slot, RT_UNPAR).total;
		waited += alone > 3 * sum_of(&run.profile[0], slot, RT_IBAR).total;
	}
	ck_assert_uint_eq(waited, SLOTS - 1);
	rt_free(&run);
}
END_TEST

static void uneven(void *unused)
{
	(void)unused;
	usleep(10000 * (unsigned)omp_get_thread_num());
	GOMP_barrier();
	GOMP_critical_start();
	GOMP_critical_end();
}

static void uneven_work(void) { GOMP_parallel(uneven, NULL, SLOTS, 0); }

START_TEST(waiting_for_what_all_execute_is_not)
{
	struct rt_run run;
	rt_run_whole(&run, uneven_work);
	struct rt_profile *p = &run.profile[0];
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		ck_assert_uint_eq(sum_of(p, slot, RT_UNPAR).calls + sum_of(p, slot, RT_PART).calls,
				  0);
		ck_assert_uint_eq(sum_of(p, slot, RT_IBAR).calls, 2);
		ck_assert_uint_eq(sum_of(p, slot, RT_CRITICAL).calls, 1);
	}
	ck_assert_uint_gt(sum_of(p, 0, RT_IBAR).total, sum_of(p, 2, RT_IBAR).total);
	rt_free(&run);
}
END_TEST

/* -- tasks ------------------------------------------------------------------------------------- */

struct task_data { /* as gcc would lay out two firstprivate variables and a shared one */
	int number;
	int *done;
	char wide[64] __attribute__((aligned(64)));
};

static void task(void *p)
{
	struct task_data *data = p;
	expect((uintptr_t)data % 64 == 0 && data->wide[63] == (char)data->number);
	count(data->done);
}

static void task_data_copy(void *to, void *from)
{
	*(struct task_data *)to = *(struct task_data *)from;
}

/* One creates all, some with a copy function and some undeferred, and leaves most to the end of the
 * team. */
static void create(void *done)
{
	if (!GOMP_single_start())
		return;
	for (int i = 0; i < TASKS; i++) {
		struct task_data data = { .number = i, .done = done };
		data.wide[63] = (char)i;
		GOMP_task(task, &data, i % 2 ? task_data_copy : NULL, sizeof data, 64, i % 10 != 0,
			  0, NULL, 0, NULL);
		if (i == TASKS / 2)
			GOMP_taskwait();
	}
}

static void many_tasks(void)
{
	int done = 0;
	GOMP_parallel(create, &done, SLOTS, 0);
	expect(done == TASKS);
	create(&done); /* and outside of any team */
	expect(done == 2 * TASKS);
}

START_TEST(every_task_is_a_node_wherever_it_runs)
{
	struct rt_run run;
	uint64_t executed = 0, created = 0;
	rt_run_whole(&run, many_tasks);
	ck_assert_uint_eq(run.profile[0].header->max_slots, SLOTS);
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		executed += sum_of(&run.profile[0], slot, RT_TASK).calls;
		created += sum_of(&run.profile[0], slot, RT_TASKCRE).calls;
	}
	ck_assert_uint_eq(executed, 2 * TASKS);
	/* an undeferred task is a call */
	ck_assert_uint_eq(created, 2 * (TASKS - TASKS / 10));
	rt_free(&run);
}
END_TEST

static void fork_more(void *depth)
{
	int next = *(int *)depth - 1;
	for (int i = 0; next > 0 && i < 2; i++)
		GOMP_task(fork_more, &next, NULL, sizeof next, sizeof next, true, 0, NULL, 0, NULL);
	GOMP_taskwait();
}

static void recursive(void *unused)
{
	int depth = 10;
	(void)unused;
	if (GOMP_single_start())
		fork_more(&depth);
}

static void recursive_tasks(void) { GOMP_parallel(recursive, NULL, SLOTS, 0); }

START_TEST(recursive_tasks_make_few_nodes)
{
	struct rt_run run;
	uint64_t executed = 0, nodes = 0;
	rt_run_whole(&run, recursive_tasks);
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		executed += sum_of(&run.profile[0], slot, RT_TASK).calls;
		nodes += sum_of(&run.profile[0], slot, RT_TASK).nodes;
	}
	ck_assert_uint_eq(executed, (1 << 10) - 2);
	ck_assert_uint_lt(nodes, executed / 4);
	rt_free(&run);
}
END_TEST

static void count_task(void *done) { __atomic_add_fetch(*(int **)done, 1, __ATOMIC_RELAXED); }

static void one_task(int *done, bool deferred)
{
	GOMP_task(count_task, &done, NULL, sizeof done, sizeof done, deferred, 0, NULL, 0, NULL);
}

/* In the arguments of one construct, another one is executed first. */
static void announced(void *done)
{
	if (!GOMP_single_start())
		return;
	for (int i = 0; i < 10; i++) {
		SIS_TASK(1)
		SIS_ENTER(3)
		SIS_TASK(2)
		one_task(done, i % 2);
		SIS_LEAVE(3)
		one_task(done, true);
		one_task(done, true); /* of code that announces none */
	}
}

static void named_tasks(void)
{
	int done = 0;
	rt_unit_what(1, "CR_OMPTASKBODY - -");
	rt_unit_what(2, "CR_OMPTASKBODY - -");
	rt_unit();
	GOMP_parallel(announced, &done, SLOTS, 0);
	expect(done == 30);
}

START_TEST(a_task_is_a_node_of_the_region_announced_for_it)
{
	struct rt_run run;
	uint64_t executed[3] = { 0 };
	rt_run_whole(&run, named_tasks);
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		executed[0] += sum_of(&run.profile[0], slot, RT_TASK).calls;
		executed[1] += sum_of(&run.profile[0], slot, rt_id(1)).calls;
		executed[2] += sum_of(&run.profile[0], slot, rt_id(2)).calls;
	}
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(executed[i], 10);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("omp_team", members_cover_the_region_from_fork_to_join,
	  regions_of_a_handler_are_no_part_of_the_fork, nested_teams_take_units_of_their_own, a_muted_thread_forks_muted_threads,
	  waiting_for_a_single_is_loss_of_parallelism, waiting_for_what_all_execute_is_not,
	  every_task_is_a_node_wherever_it_runs, recursive_tasks_make_few_nodes,
	  a_task_is_a_node_of_the_region_announced_for_it)
