/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks, critical constructs, atomics and barriers that make no thread wait: each is counted, some
 * are timed. Operations that make a thread wait are timed for any other thread. The test calls
 * libgomp's functions as gcc does. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so -lgomp */
#include "unit.h"

#include "rt_support.h"

#include "adapters/omp/omp_signature.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

void GOMP_parallel SIS_P_PARALLEL;
void GOMP_task SIS_P_TASK;
void GOMP_barrier(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_ordered_start(void);

enum { TIMES = 20000, HOLD_MS = 100 };

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static void *name;

struct sum { uint64_t calls, total, longest; };

/* Of all nodes of a region in the slot; in all slots: SIS_NO_SLOT. */
static struct sum sum_of(const struct rt_profile *p, uint32_t slot, uint32_t region)
{
	struct sum sum = { 0 };
	for (struct sis_chunk *chunk = NULL; (chunk = rt_chunk(p, chunk));) {
		const struct sis_node *node = (const void *)(chunk + 1);
		if (chunk->kind != SIS_CHUNK_NODES ||
		    (slot != SIS_NO_SLOT && chunk->slot != slot))
			continue;
		for (uint64_t i = 0; i < chunk->used / sizeof *node; i++)
			if (node[i].region == region) {
				sum.calls += node[i].calls;
				sum.total += node[i].total;
				sum.longest = node[i].max > sum.longest ? node[i].max : sum.longest;
			}
	}
	return sum;
}

static uint64_t ms_of(const struct rt_profile *p, uint64_t ticks)
{
	return ticks * 1000 / p->header->ticks_per_second;
}

/* -- nobody waits ------------------------------------------------------------------------------ */

static void enter_all(int times)
{
	for (int i = 0; i < times; i++) {
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest_lock);
		omp_set_nest_lock(&nest_lock);
		omp_unset_nest_lock(&nest_lock);
		omp_unset_nest_lock(&nest_lock);
		GOMP_critical_start();
		GOMP_critical_end();
		GOMP_critical_name_start(&name);
		GOMP_critical_name_end(&name);
		GOMP_atomic_start();
		GOMP_atomic_end();
		GOMP_ordered_start();
		GOMP_barrier();
	}
}

static void free_body(void)
{
	rt_unit();
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
	enter_all(TIMES);
	sis_measure(0);
	enter_all(TIMES);
	sis_measure(1);
}

START_TEST(entries_that_do_not_wait_are_counted_and_some_are_timed)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, free_body);
	static const struct { uint32_t region, each; } regions[] = {
		{ RT_LOCK, 3 }, { RT_CRITICAL, 2 }, { RT_ATOMIC, 1 },
	};
	for (unsigned i = 0; i < sizeof regions / sizeof regions[0]; i++) {
		struct sum sum = sum_of(p, 0, regions[i].region);
		ck_assert_uint_eq(sum.calls, (uint64_t)TIMES * regions[i].each);
		ck_assert_uint_gt(sum.total, 0);
	}
	ck_assert_uint_eq(sum_of(p, 0, RT_ORDERED).calls, TIMES);
	ck_assert_uint_eq(sum_of(p, 0, RT_IBAR).calls, TIMES);
	ck_assert_uint_eq(sum_of(p, 0, RT_ORDERED).total + sum_of(p, 0, RT_IBAR).total, 0);
	rt_free(&run);
}
END_TEST

/* -- teams of one ------------------------------------------------------------------------------ */

static void body_of_one(void *done)
{
	GOMP_barrier();
	++*(int *)done;
}

static void ones(void)
{
	int done = 0;
	rt_unit();
	for (int i = 0; i < 1000; i++)
		GOMP_parallel(body_of_one, &done, 1, 0);
	if (done != 1000)
		_exit(1);
}

START_TEST(a_team_of_one_is_counted_from_fork_to_join)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, ones);
	ck_assert_uint_eq(sum_of(p, 0, RT_PARALLEL).calls, 1000);
	ck_assert_uint_eq(sum_of(p, 0, RT_FORK).calls, 1000);
	ck_assert_uint_eq(sum_of(p, 0, RT_JOIN).calls, 1000);
	ck_assert_uint_eq(sum_of(p, 0, RT_IBAR).calls, 2000);
	ck_assert_uint_eq(sum_of(p, 0, RT_IBAR).total, 0);
	rt_free(&run);
}
END_TEST

static void task(void *unused)
{
	(void)unused;
	usleep(HOLD_MS * 1000);
}

static void make_task(void *unused)
{
	(void)unused;
	GOMP_task(task, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
	GOMP_barrier();
}

static void task_of_one(void)
{
	rt_unit();
	GOMP_parallel(make_task, NULL, 1, 0);
}

START_TEST(a_task_that_a_barrier_of_one_executes_is_inside_the_barrier)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, task_of_one);
	ck_assert_uint_eq(sum_of(p, 0, RT_TASK).calls, 1);
	ck_assert_uint_ge(ms_of(p, sum_of(p, 0, RT_IBAR).total), HOLD_MS);
	rt_free(&run);
}
END_TEST

/* -- a thread waits for one that is not measured ----------------------------------------------- */

static atomic_int step; /* relaxed orders nothing here: the pair is release and acquire */

static void await(int what)
{
	while (atomic_load_explicit(&step, memory_order_acquire) != what)
		usleep(100);
}
static void go_on(int what) { atomic_store_explicit(&step, what, memory_order_release); }

static void *hold_unmeasured(void *unused)
{
	sis_measure(0);
	await(1);
	GOMP_critical_start();
	GOMP_critical_end();
	omp_set_lock(&lock);
	GOMP_critical_start();
	GOMP_atomic_start();
	go_on(2);
	usleep(HOLD_MS * 1000);
	omp_unset_lock(&lock);
	usleep(HOLD_MS * 1000);
	GOMP_critical_end();
	usleep(HOLD_MS * 1000);
	GOMP_atomic_end();
	return unused;
}

static void wait_for_unmeasured(void)
{
	pthread_t other;
	rt_unit();
	omp_init_lock(&lock);
	pthread_create(&other, NULL, hold_unmeasured, NULL);
	for (int i = 0; i < 10; i++) { /* this thread is the last one in all of them */
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
		GOMP_critical_start();
		GOMP_critical_end();
		GOMP_atomic_start();
		GOMP_atomic_end();
	}
	go_on(1);
	await(2);
	omp_set_lock(&lock);
	GOMP_critical_start();
	GOMP_atomic_start();
	GOMP_atomic_end();
	GOMP_critical_end();
	omp_unset_lock(&lock);
	pthread_join(other, NULL);
}

START_TEST(a_wait_for_a_thread_that_is_not_measured_is_timed)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, wait_for_unmeasured);
	static const uint32_t regions[] = { RT_LOCK, RT_CRITICAL, RT_ATOMIC };
	for (unsigned i = 0; i < 3; i++) {
		struct sum sum = sum_of(p, 0, regions[i]);
		ck_assert_uint_eq(sum.calls, 11);
		ck_assert_msg(ms_of(p, sum.longest) >= HOLD_MS / 2, "%u: %d ms", i,
			      (int)ms_of(p, sum.longest));
	}
	rt_free(&run);
}
END_TEST

/* -- many threads want the same ---------------------------------------------------------------- */

static long counter;

static void contend(void *unused)
{
	(void)unused;
	for (int i = 0; i < TIMES; i++) {
		GOMP_critical_start();
		counter++;
		GOMP_critical_end();
		omp_set_lock(&lock);
		counter++;
		omp_unset_lock(&lock);
	}
}

static void contended(void)
{
	rt_unit();
	omp_init_lock(&lock);
	GOMP_parallel(contend, NULL, 4, 0);
}

START_TEST(entries_of_many_threads_are_counted)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, contended);
	ck_assert_uint_eq(sum_of(p, SIS_NO_SLOT, RT_CRITICAL).calls, 4 * TIMES);
	ck_assert_uint_eq(sum_of(p, SIS_NO_SLOT, RT_LOCK).calls, 4 * TIMES);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("uncontended", entries_that_do_not_wait_are_counted_and_some_are_timed,
	  a_team_of_one_is_counted_from_fork_to_join,
	  a_task_that_a_barrier_of_one_executes_is_inside_the_barrier,
	  a_wait_for_a_thread_that_is_not_measured_is_timed, entries_of_many_threads_are_counted)
