/* SPDX-License-Identifier: BSD-3-Clause */
/* The culprits that the runtime records of waits for locks, tasks and ordered loops of libgomp,
 * which are called as gcc calls them. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so -lgomp */
#include "unit.h"

#include "rt_support.h"

#include "adapters/omp/omp_signature.h"

#include <omp.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void GOMP_parallel SIS_P_PARALLEL;
void GOMP_task SIS_P_TASK;
void GOMP_taskwait(void);
void GOMP_barrier(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);

enum { THREADS = 3, ROUNDS = 200 };
enum { BODY, HOLD, NEXT };

static omp_lock_t lock;

static void hold(int region, int ms)
{
	SIS_ENTER(region)
	usleep((useconds_t)ms * 1000);
	SIS_LEAVE(region)
}

/* Milliseconds that `slot` waited for `other`, which was in a region; flags of the last of them. */
static int waited(const struct rt_profile *p, uint32_t slot, uint32_t other, int region,
		  uint32_t *flags)
{
	uint64_t ticks = 0;
	for (struct sis_chunk *chunk = NULL; (chunk = rt_chunk(p, chunk));) {
		const struct sis_culprit *c = (const void *)(chunk + 1);
		if (chunk->kind != SIS_CHUNK_CULPRITS || chunk->slot != slot)
			continue;
		for (uint64_t i = 0; i < chunk->used / sizeof *c; i++) {
			const struct sis_node *node = rt_at(p, c[i].culprit);
			if (c[i].slot != other ||
			    (region >= 0 && (!node || node->region != rt_id(region))))
				continue;
			ticks += c[i].ticks;
			*flags = c[i].flags;
		}
	}
	return (int)(ticks * 1000 / p->header->ticks_per_second);
}

/* -- what the threads really did --------------------------------------------------------------- */

/* Written by the process that is measured. */
static struct truth {
	atomic_bool ready;            /* the other thread may wait for this one */
	atomic_bool asked;            /* the other thread is about to wait */
	struct timespec from, end, to; /* the wait; end: when the culprit's region ended */
} *truth;

static void truth_init(void)
{
	truth = mmap(NULL, sizeof *truth, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	ck_assert_ptr_ne(truth, MAP_FAILED);
}

static void await(const atomic_bool *flag)
{
	while (!atomic_load_explicit(flag, memory_order_acquire)) /* pairs with say */
		usleep(100);
}

static void say(atomic_bool *flag) { atomic_store_explicit(flag, true, memory_order_release); }

static void mark(struct timespec *moment) { clock_gettime(CLOCK_MONOTONIC, moment); }

static int ms_between(struct timespec from, struct timespec to)
{
	return (int)((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000);
}

/* The wait as it was recorded is the wait as it was. */
static void check_wait(int ms)
{
	int whole = ms_between(truth->from, truth->to);
	ck_assert_msg(ms <= whole + 1 && ms >= ms_between(truth->from, truth->end) / 2,
		      "%d ms of %d", ms, whole);
}

/* On a busy machine a thread may stop between the end of its region and what it does then. */
static bool is_spoiled(void)
{
	return ms_between(truth->end, truth->to) > ms_between(truth->from, truth->to) / 20;
}

/* -- locks ------------------------------------------------------------------------------------- */

static int hold_ms;

static void hold_until_asked(int region)
{
	SIS_ENTER(region)
	say(&truth->ready);
	await(&truth->asked);
	usleep((useconds_t)hold_ms * 1000);
	SIS_LEAVE(region)
	mark(&truth->end);
}

static void about_to_wait(void)
{
	await(&truth->ready);
	mark(&truth->from);
	say(&truth->asked);
}

static void one_lock(void *unused)
{
	(void)unused;
	int me = omp_get_thread_num();
	if (me)
		about_to_wait();
	omp_set_lock(&lock);
	if (me) {
		mark(&truth->to);
		hold(NEXT, 150);
	} else {
		hold_until_asked(HOLD);
	}
	omp_unset_lock(&lock);
}

static void lock_body(void)
{
	rt_unit();
	omp_init_lock(&lock);
	GOMP_parallel(one_lock, NULL, 2, 0);
}

START_TEST(the_owner_of_a_lock_is_told_with_its_region)
{
	struct rt_run run;
	bool spoiled = true;
	for (hold_ms = 150; spoiled && hold_ms < 5000; hold_ms *= 2) {
		uint32_t flags = 99;
		truth_init();
		rt_run_whole(&run, lock_body);
		spoiled = is_spoiled();
		check_wait(waited(&run.profile[0], 1, 0, HOLD, &flags));
		ck_assert_msg(spoiled || flags == 0, "flags %u", flags);
		rt_free(&run);
	}
	ck_assert(!spoiled);
}
END_TEST

static void critical(void *unused)
{
	(void)unused;
	int me = omp_get_thread_num();
	if (me)
		about_to_wait();
	GOMP_critical_start();
	if (me) {
		mark(&truth->to);
		hold(NEXT, 150); /* the other one waits at the end of the team, not this one */
	} else {
		hold_until_asked(HOLD);
	}
	GOMP_critical_end();
}

static void critical_body(void)
{
	rt_unit();
	GOMP_parallel(critical, NULL, 2, 0);
}

START_TEST(who_was_inside_of_a_critical_construct_is_told)
{
	struct rt_run run;
	uint32_t flags = 99;
	hold_ms = 100;
	truth_init();
	rt_run_whole(&run, critical_body);
	check_wait(waited(&run.profile[0], 1, 0, HOLD, &flags));
	ck_assert_uint_eq(flags, 0);
	rt_free(&run);
}
END_TEST

/* -- tasks ------------------------------------------------------------------------------------- */

static void long_task(void *unused)
{
	(void)unused;
	hold_until_asked(HOLD);
}

/* The other thread takes the task. */
static void one_task(void *unused)
{
	(void)unused;
	if (omp_get_thread_num() != 0)
		return;
	GOMP_task(long_task, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
	about_to_wait();
	GOMP_taskwait();
	mark(&truth->to);
}

static void task_body(void)
{
	rt_unit();
	GOMP_parallel(one_task, NULL, 2, 0);
}

START_TEST(who_executed_the_last_task_is_told)
{
	struct rt_run run;
	uint32_t flags = 99;
	hold_ms = 200;
	truth_init();
	rt_run_whole(&run, task_body);
	check_wait(waited(&run.profile[0], 0, 1, HOLD, &flags));
	rt_free(&run);
}
END_TEST

/* -- barriers ---------------------------------------------------------------------------------- */

/* Thread 1 comes 150 ms later to the first barrier, thread 0 80 ms later to the second one, and
 * thread 1 150 ms later to the end of the region. */
static void late_in_turn(void *unused)
{
	(void)unused;
	useconds_t late = (useconds_t)omp_get_thread_num() * 150000;
	usleep(late);
	GOMP_barrier();
	usleep(late ? 0 : 80000);
	GOMP_barrier();
	usleep(late);
}

static void barrier_body(void)
{
	rt_unit();
	GOMP_parallel(late_in_turn, NULL, 2, 0);
}

START_TEST(the_last_thread_at_each_barrier_is_recorded)
{
	struct rt_run run;
	uint32_t flags[] = { 99, 99 };
	rt_run_whole(&run, barrier_body);
	int ms[] = { waited(&run.profile[0], 0, 1, -1, &flags[0]),
		     waited(&run.profile[0], 1, 0, -1, &flags[1]) };
	ck_assert_msg(ms[0] >= 250 && ms[0] < 1000, "%d ms", ms[0]);
	ck_assert_msg(ms[1] >= 60 && ms[1] < 500, "%d ms", ms[1]);
	for (int i = 0; i < 2; i++) /* on a busy machine, it may have had no processor then */
		ck_assert_uint_eq(flags[i] & ~(unsigned)SIS_CULPRIT_NO_PROCESSOR, 0);
	rt_free(&run);
}
END_TEST

/* Thread 1 is late at the first barrier, because of HOLD, and thread 0 at the second, because of
 * NEXT: what comes after a wait is no cause of it. */
static void late_in_two_regions(void *unused)
{
	(void)unused;
	if (omp_get_thread_num())
		hold(HOLD, 200);
	GOMP_barrier();
	if (!omp_get_thread_num())
		hold(NEXT, 200);
	GOMP_barrier();
}

static void two_regions_body(void)
{
	rt_unit();
	GOMP_parallel(late_in_two_regions, NULL, 2, 0);
}

START_TEST(the_last_thread_was_late_before_the_barrier)
{
	struct rt_run run;
	uint32_t flags;
	rt_run_whole(&run, two_regions_body);
	ck_assert_int_ge(waited(&run.profile[0], 0, 1, HOLD, &flags), 100);
	ck_assert_int_eq(waited(&run.profile[0], 0, 1, NEXT, &flags), 0);
	ck_assert_int_ge(waited(&run.profile[0], 1, 0, NEXT, &flags), 100);
	ck_assert_int_eq(waited(&run.profile[0], 1, 0, HOLD, &flags), 0);
	rt_free(&run);
}
END_TEST

static void task_of_200_ms(void *unused)
{
	(void)unused;
	hold(HOLD, 200);
}

/* Thread 1 executes the task at the barrier, after its arrival: so it is last. */
static void task_at_barrier(void *unused)
{
	(void)unused;
	if (omp_get_thread_num() == 0) {
		GOMP_task(task_of_200_ms, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
		usleep(100000);
	}
	GOMP_barrier();
}

static void task_at_barrier_body(void)
{
	rt_unit();
	GOMP_parallel(task_at_barrier, NULL, 2, 0);
}

START_TEST(a_task_at_a_barrier_makes_a_thread_the_last)
{
	struct rt_run run;
	uint32_t flags;
	rt_run_whole(&run, task_at_barrier_body);
	int ms = waited(&run.profile[0], 0, 1, -1, &flags);
	ck_assert_msg(ms >= 60 && ms < 500, "%d ms", ms);
	rt_free(&run);
}
END_TEST

/* -- all at once, for the thread sanitizer ----------------------------------------------------- */

static void small_task(void *unused)
{
	(void)unused;
	SIS_ENTER(NEXT)
	SIS_LEAVE(NEXT)
}

static void crowd(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		SIS_ENTER(BODY)
		omp_set_lock(&lock);
		if (i % 8 == 0)
			usleep(50);
		omp_unset_lock(&lock);
		GOMP_critical_start();
		if (i % 8 == 4)
			usleep(50);
		GOMP_critical_end();
		GOMP_task(small_task, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
		GOMP_taskwait();
		SIS_LEAVE(BODY)
	}
}

static void crowd_body(void)
{
	rt_unit();
	omp_init_lock(&lock);
	GOMP_parallel(crowd, NULL, THREADS, 0);
}

START_TEST(nobody_is_told_to_have_waited_for_itself)
{
	struct rt_run run;
	uint32_t flags;
	rt_run_whole(&run, crowd_body);
	for (uint32_t slot = 0; slot < THREADS; slot++)
		ck_assert_int_eq(waited(&run.profile[0], slot, slot, -1, &flags), 0);
	rt_free(&run);
}
END_TEST

/* -- a child has its own ----------------------------------------------------------------------- */

static void forking_body(void)
{
	lock_body();
	pid_t pid = fork();
	if (pid == 0) {
		hold(NEXT, 1);
		exit(0);
	}
	waitpid(pid, NULL, 0);
}

START_TEST(a_forked_child_has_waited_for_nobody)
{
	struct rt_run run;
	uint32_t flags;
	hold_ms = 100;
	truth_init();
	rt_run_whole(&run, forking_body);
	ck_assert_int_eq(run.profiles, 2);
	ck_assert_int_gt(waited(&run.profile[0], 1, 0, HOLD, &flags), 0);
	for (struct sis_chunk *chunk = NULL; (chunk = rt_chunk(&run.profile[1], chunk));)
		ck_assert_uint_ne(chunk->kind, SIS_CHUNK_CULPRITS);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("culprit", the_owner_of_a_lock_is_told_with_its_region,
	  who_was_inside_of_a_critical_construct_is_told, who_executed_the_last_task_is_told,
	  the_last_thread_at_each_barrier_is_recorded,
	  the_last_thread_was_late_before_the_barrier, a_task_at_a_barrier_makes_a_thread_the_last,
	  nobody_is_told_to_have_waited_for_itself, a_forked_child_has_waited_for_nobody)
