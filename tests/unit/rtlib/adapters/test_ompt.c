/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ompt.c - what libomp's callbacks leave in the trees. The calls are made here in the order in
 * which libomp makes them, by threads of ours, so that what seldom happens in a real run happens
 * each time. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so -lpthread */
#include "unit.h"

#include "rt_support.h"

#include "adapters/ompt/ompt.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { REGIONS = 30, TASKS = 1000, SLOTS = 2 };

/* -- a runtime that calls back ----------------------------------------------------------------- */

static sis_ompt_function *callback[64];

static int set(int event, sis_ompt_function *function)
{
	callback[event] = function;
	return 5;
}
static sis_ompt_function *lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0 ? (sis_ompt_function *)set : NULL;
}

#define CALL(event, like, ...) ((__typeof__(like) *)callback[event])(__VA_ARGS__)
static void fork_begin(union sis_ompt_data *region, union sis_ompt_data *task)
{
	CALL(OMPT_PARALLEL_BEGIN, sis__ompt_parallel_begin, task, NULL, region, SLOTS, 2, NULL);
}
static void fork_end(union sis_ompt_data *region)
{
	CALL(OMPT_PARALLEL_END, sis__ompt_parallel_end, region, NULL, 2, NULL);
}
static void member_begin(union sis_ompt_data *region, union sis_ompt_data *task, unsigned number)
{
	CALL(OMPT_IMPLICIT_TASK, sis__ompt_implicit_task, OMPT_BEGIN, region, task, SLOTS, number,
	     2);
}
static void member_end(union sis_ompt_data *task, unsigned number)
{
	CALL(OMPT_IMPLICIT_TASK, sis__ompt_implicit_task, OMPT_END, NULL, task, 0, number, 2);
}
static void barrier(int kind, int endpoint, union sis_ompt_data *region)
{
	CALL(OMPT_SYNC_REGION, sis__ompt_sync_region, kind, endpoint, region, NULL, NULL);
}
static void task_create(union sis_ompt_data *task, int flags)
{
	CALL(OMPT_TASK_CREATE, sis__ompt_task_create, NULL, NULL, task, flags, 0, NULL);
}
static void task_schedule(union sis_ompt_data *from, int status, union sis_ompt_data *to)
{
	CALL(OMPT_TASK_SCHEDULE, sis__ompt_task_schedule, from, status, to);
}

static void expect(bool right)
{
	if (!right)
		_exit(1);
}

static void begin(void)
{
	struct sis_ompt_tool *tool = ompt_start_tool(201611, "a test");
	expect(tool && tool->initialize(lookup, 0, &tool->tool));
}

/* -- a team of two, the worker a thread that stays --------------------------------------------- */

struct team {
	pthread_barrier_t step;
	pthread_t thread;
	union sis_ompt_data region, task[SLOTS], work[TASKS];
	void (*body)(struct team *team, unsigned number);
	void (*left_over)(struct team *team); /* by the worker, in the last barrier */
	int join; /* what the last barrier is called */
	bool last;
};

static void step(struct team *team) { pthread_barrier_wait(&team->step); }

static void member(struct team *team, unsigned number)
{
	member_begin(&team->region, &team->task[number], number);
	if (team->body)
		team->body(team, number);
	barrier(team->join, OMPT_BEGIN, &team->region);
	if (number && team->left_over)
		team->left_over(team);
	step(team);
}

/* libomp reports the end of a region when the next one begins. */
static void *worker(void *p)
{
	struct team *team = p;
	for (bool first = true;; first = false) {
		step(team);
		if (!first) {
			barrier(team->join, OMPT_END, NULL);
			member_end(&team->task[1], 1);
		}
		if (team->last)
			return NULL;
		member(team, 1);
	}
}

static void region(struct team *team)
{
	/* the memory of the team is used again by then */
	union sis_ompt_data anothers = { .value = 0xdead0000 };
	fork_begin(&team->region, NULL);
	step(team);
	member(team, 0);
	barrier(team->join, OMPT_END, NULL);
	member_end(&team->task[0], 0);
	fork_end(&anothers);
}

static struct team team = { .join = OMPT_BARRIER_PARALLEL };

static void team_begin(void)
{
	begin();
	pthread_barrier_init(&team.step, NULL, SLOTS);
	expect(pthread_create(&team.thread, NULL, worker, &team) == 0);
}

static void team_end(void)
{
	team.last = true;
	step(&team);
	pthread_join(team.thread, NULL);
}

/* -- the trees --------------------------------------------------------------------------------- */

struct sum { uint64_t calls, total; };

static void add(const struct rt_profile *p, const struct sis_node *node, uint32_t id,
		struct sum *sum)
{
	sum->calls += node->region == id ? node->calls : 0;
	sum->total += node->region == id ? node->total : 0;
	const struct sis_node *child = rt_at(p, node->last_child);
	for (uint32_t i = 0; i < node->children; i++, child = rt_at(p, child->next))
		add(p, child, id, sum);
}

static struct sum sum_of(const struct rt_profile *p, uint32_t slot, uint32_t id)
{
	struct sum sum = { 0, 0 };
	const struct sis_profile_thread *thread = rt_thread(p, slot);
	ck_assert_ptr_nonnull(thread);
	ck_assert_uint_eq(thread->mismatched, 0);
	ck_assert_uint_eq(thread->unwound, 0);
	add(p, rt_at(p, thread->root), id, &sum);
	return sum;
}

static uint64_t calls(const struct rt_profile *p, uint32_t slot, uint32_t id)
{
	return sum_of(p, slot, id).calls;
}

/* -- teams ------------------------------------------------------------------------------------- */

static void many_regions(void)
{
	team_begin();
	for (int i = 0; i < REGIONS; i++) {
		if (i == REGIONS / 2)
			team.join = OMPT_BARRIER_IMPLICIT; /* LLVM 14 */
		region(&team);
	}
	team_end();
}

START_TEST(members_are_there_from_fork_to_join)
{
	struct rt_run run;
	rt_run_whole(&run, many_regions);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(p->header->max_slots, SLOTS);
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		ck_assert_uint_eq(calls(p, slot, RT_PARALLEL), REGIONS);
		ck_assert_uint_eq(calls(p, slot, RT_FORK), REGIONS);
		ck_assert_uint_eq(calls(p, slot, RT_IBAR), REGIONS);
		ck_assert_uint_eq(calls(p, slot, RT_JOIN), REGIONS);
	}
	ck_assert_uint_eq(sum_of(p, 0, RT_PARALLEL).total, sum_of(p, 1, RT_PARALLEL).total);
	rt_free(&run);
}
END_TEST

static void enter_and_leave(struct team *unused, unsigned number)
{
	(void)unused, (void)number;
	SIS_ENTER(0);
	SIS_LEAVE(0);
}

static void a_muted_region(void)
{
	rt_unit();
	team_begin();
	team.body = enter_and_leave;
	region(&team);
	sis_measure(0);
	region(&team);
	sis_measure(1);
	region(&team);
	team_end();
}

START_TEST(a_muted_thread_forks_muted_threads)
{
	struct rt_run run;
	rt_run_whole(&run, a_muted_region);
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		ck_assert_uint_eq(calls(&run.profile[0], slot, RT_PARALLEL), 2);
		ck_assert_uint_eq(calls(&run.profile[0], slot, rt_id(0)), 2);
	}
	rt_free(&run);
}
END_TEST

/* -- tasks ------------------------------------------------------------------------------------- */

static void create(struct team *t, unsigned number)
{
	for (unsigned i = 0; number == 0 && i < TASKS; i++)
		task_create(&t->work[i], OMPT_TASK_EXPLICIT);
	barrier(OMPT_BARRIER_WORKSHARE, OMPT_BEGIN, &t->region);
	step(t);
	barrier(OMPT_BARRIER_WORKSHARE, OMPT_END, &t->region);
}

static void execute(struct team *t)
{
	for (unsigned i = 0; i < TASKS; i++) {
		task_schedule(&t->task[1], OMPT_TASK_SWITCH, &t->work[i]);
		enter_and_leave(t, 1);
		task_schedule(&t->work[i], OMPT_TASK_COMPLETE, &t->task[1]);
	}
}

static void tasks_left_over(void)
{
	rt_unit();
	team_begin();
	team.body = create;
	team.left_over = execute;
	region(&team);
	region(&team);
	team_end();
}

START_TEST(who_has_left_the_region_takes_up_its_unit_for_a_task)
{
	struct rt_run run;
	rt_run_whole(&run, tasks_left_over);
	ck_assert_uint_eq(run.profile[0].header->max_slots, SLOTS);
	ck_assert_uint_eq(calls(&run.profile[0], 1, RT_TASK), 2 * TASKS);
	ck_assert_uint_eq(calls(&run.profile[0], 1, rt_id(0)), 2 * TASKS);
	rt_free(&run);
}
END_TEST

/* It begins in the forking thread, within two regions, and ends in the worker. */
static void two_parts(struct team *t, unsigned number)
{
	if (number == 0) {
		SIS_TASK(2)
		task_create(&t->work[0], OMPT_TASK_EXPLICIT | OMPT_TASK_UNTIED);
		task_schedule(&t->task[0], OMPT_TASK_SWITCH, &t->work[0]);
		SIS_ENTER(0);
		SIS_ENTER(1);
		task_schedule(&t->work[0], OMPT_TASK_SWITCH, &t->task[0]);
	}
	step(t);
	if (number == 1) {
		task_schedule(&t->task[1], OMPT_TASK_SWITCH, &t->work[0]);
		SIS_LEAVE(1);
		SIS_LEAVE(0);
		task_schedule(&t->work[0], OMPT_TASK_COMPLETE, &t->task[1]);
	}
}

static void an_untied_task(void)
{
	rt_unit_what(2, "CR_OMPTASKBODY - -");
	rt_unit();
	team_begin();
	team.body = two_parts;
	region(&team);
	team_end();
}

START_TEST(an_untied_task_goes_on_in_another_thread_within_its_regions)
{
	struct rt_run run;
	rt_run_whole(&run, an_untied_task);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(calls(p, 0, rt_id(2)) + calls(p, 1, rt_id(2)), 1);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(calls(p, 0, rt_id(i)), 1);
		ck_assert_uint_eq(calls(p, 1, rt_id(i)), 0);
		ck_assert_uint_gt(sum_of(p, 1, rt_id(i)).total, 0);
	}
	rt_free(&run);
}
END_TEST

/* -- devices ----------------------------------------------------------------------------------- */

enum { HOST = 1, EMPTY_OPERATION = 1 /* an allocation */ };

static void target(int endpoint, int device)
{
	CALL(OMPT_TARGET_EMI, sis__ompt_target, 1, endpoint, device, NULL, NULL, NULL, NULL);
}
static void data_op(int op, int from, int to)
{
	for (int endpoint = OMPT_BEGIN; endpoint <= OMPT_END; endpoint++)
		CALL(OMPT_TARGET_DATA_OP_EMI, sis__ompt_target_data_op, endpoint, NULL, NULL, NULL,
		     op, NULL, from, NULL, to, 100, NULL);
}
static void submit(int endpoint)
{
	CALL(OMPT_TARGET_SUBMIT_EMI, sis__ompt_target_submit, endpoint, NULL, NULL, 1);
}
static void construct(int device)
{
	target(OMPT_BEGIN, device);
	data_op(EMPTY_OPERATION, HOST, device);
	data_op(OMPT_DATA_TO_DEVICE, HOST, device);
	submit(OMPT_BEGIN);
	region(&team); /* the kernel uses threads of the host */
	submit(OMPT_END);
	data_op(OMPT_DATA_FROM_DEVICE, device, HOST);
	target(OMPT_END, device);
}

static void target_constructs(void)
{
	rt_unit();
	team_begin();
	CALL(OMPT_DEVICE_INITIALIZE, sis__ompt_device_initialize, 0, NULL, NULL, NULL, NULL);
	team.body = enter_and_leave;
	SIS_ENTER(1);
	construct(0);
	construct(HOST);
	construct(-1);
	construct(1 << 20);
	sis_measure(0);
	construct(0);
	sis_measure(1);
	data_op(OMPT_DATA_TO_DEVICE, HOST, 0);
	target(OMPT_END, 0);
	submit(OMPT_END);
	SIS_LEAVE(1);
	team_end();
}

START_TEST(only_devices_make_the_host_wait_and_kernels_are_not_measured)
{
	struct rt_run run;
	rt_run_whole(&run, target_constructs);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(calls(p, 0, RT_TARGET), 1);
	ck_assert_uint_eq(calls(p, 0, RT_KERNEL), 1);
	ck_assert_uint_eq(calls(p, 0, RT_DEVCOPY), 3);
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		ck_assert_uint_eq(calls(p, slot, RT_PARALLEL), 3);
		ck_assert_uint_eq(calls(p, slot, rt_id(0)), 3);
	}
	ck_assert(rt_has_text(p, "value\t1\tbytes to device 0"));
	ck_assert(rt_has_text(p, "value\t2\tkernels on device 0"));
	rt_free(&run);
}
END_TEST

static union sis_ompt_data helpers;

static void *forks_helpers(void *unused)
{
	(void)unused;
	CALL(OMPT_PARALLEL_BEGIN, sis__ompt_parallel_begin, NULL, NULL, &helpers, SLOTS, 2,
	     (const void *)lookup); /* this program is libomp */
	return NULL;
}

static void *helps(void *unused)
{
	union sis_ompt_data task = { .value = 0 };
	member_begin(&helpers, &task, 1);
	construct(0);
	return unused;
}

static void in_another_thread(void *(*work)(void *))
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, work, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static void taskwait(int endpoint)
{
	CALL(OMPT_SYNC_REGION_WAIT, sis__ompt_sync_region_wait, OMPT_TASKWAIT, endpoint, NULL,
	     NULL, NULL);
}

static void a_target_task(void)
{
	rt_unit();
	team_begin();
	CALL(OMPT_DEVICE_INITIALIZE, sis__ompt_device_initialize, 0, NULL, NULL, NULL, NULL);
	in_another_thread(forks_helpers);
	SIS_ENTER(1);
	for (int i = 0; i < 3; i++) { /* the last wait is for another task */
		taskwait(OMPT_BEGIN);
		if (i < 2)
			in_another_thread(helps);
		taskwait(OMPT_END);
	}
	SIS_LEAVE(1);
	team_end();
}

START_TEST(a_wait_for_a_task_on_a_device_is_one_for_the_device)
{
	struct rt_run run;
	rt_run_whole(&run, a_target_task);
	struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(calls(p, 0, RT_TASKWAIT), 3);
	ck_assert_uint_eq(calls(p, 0, RT_DEVWAIT), 2);
	ck_assert_uint_le(sum_of(p, 0, RT_DEVWAIT).total, sum_of(p, 0, RT_TASKWAIT).total);
	ck_assert_uint_eq(calls(p, 0, RT_TARGET) + calls(p, 0, RT_KERNEL), 0);
	ck_assert(rt_has_text(p, "value\t1\tbytes to device 0"));
	ck_assert(rt_has_text(p, "value\t2\tkernels on device 0"));
	rt_free(&run);
}
END_TEST

/* -- whose tool it is -------------------------------------------------------------------------- */

static void another_tool(void)
{
	setenv("OMP_TOOL_LIBRARIES", "/nowhere/tool.so", 1);
	expect(!ompt_start_tool(201611, "a test"));
	rt_unit();
	SIS_ENTER(0);
	SIS_LEAVE(0);
}

START_TEST(a_tool_that_the_user_names_is_respected)
{
	struct rt_run run;
	rt_run_whole(&run, another_tool);
	ck_assert(
		rt_has_text(&run.profile[0], "warning\twhat OpenMP itself spends is not measured"));
	rt_free(&run);
}
END_TEST

UNIT_MAIN("ompt", members_are_there_from_fork_to_join, a_muted_thread_forks_muted_threads,
	  who_has_left_the_region_takes_up_its_unit_for_a_task,
	  an_untied_task_goes_on_in_another_thread_within_its_regions,
	  only_devices_make_the_host_wait_and_kernels_are_not_measured,
	  a_wait_for_a_task_on_a_device_is_one_for_the_device,
	  a_tool_that_the_user_names_is_respected)
