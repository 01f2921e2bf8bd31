/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots and threads: which thread gets which slot, what is left in slots, and how processes end. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "measure/core/slot.h"
#include "measure/core/thread.h"
#include "rt_support.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 20000 };

static void *pairs(void *barrier)
{
	if (barrier)
		pthread_barrier_wait(barrier); /* both alive at once */
	for (int i = 0; i < PAIRS; i++) {
		SIS_ENTER(1)
		if (i % 3 == 0) {
			SIS_SCOPE(2)
		}
		SIS_LEAVE(1)
	}
	if (barrier)
		pthread_barrier_wait(barrier);
	return NULL;
}

static void two_threads(void)
{
	pthread_t thread[2];
	pthread_barrier_t barrier;
	rt_unit();
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, pairs, &barrier);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < 3; i++) { /* one after the other: the smallest free slot again */
		pthread_create(&thread[0], NULL, pairs, NULL);
		pthread_join(thread[0], NULL);
	}
	SIS_ENTER(3)
	SIS_LEAVE(3)
}

/* Each thread has left a record of when it was there, which are all of the slot's time. */
static void check_lives(const struct rt_profile *p, uint32_t slot, unsigned threads)
{
	struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack pack;
	struct sis_record r;
	uint64_t ticks = 0, last = 0;
	for (struct sis_chunk *chunk = NULL; (chunk = rt_chunk(p, chunk));) {
		if (chunk->kind != SIS_CHUNK_RECORDS || chunk->slot != slot)
			continue;
		sis_record_pack_begin(&pack, place);
		for (uint64_t at = 0, taken; at < chunk->used; at += taken) {
			taken = sis_record_unpack(&pack, (char *)(chunk + 1) + at, chunk->used - at,
						  &r);
			ck_assert_uint_ne(taken, 0);
			if (r.kind == SIS_RECORD_NOCPU || r.kind == SIS_RECORD_BLOCKED)
				continue; /* on a busy machine, and of joins */
			ck_assert_uint_eq(r.kind, SIS_RECORD_LIFE);
			threads--;
			ck_assert_uint_ge(r.enter, last);
			ticks += r.exit - r.enter;
			last = r.exit;
		}
	}
	ck_assert_uint_eq(threads, 0);
	ck_assert_uint_eq(ticks, rt_node(p, slot, -1)->total);
}

START_TEST(threads_fill_the_smallest_free_slots)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, two_threads);
	ck_assert_uint_eq(p->header->max_slots, 3);
	ck_assert_uint_eq(rt_node(p, 0, 3, -1)->calls, 1);
	ck_assert_ptr_null(rt_node(p, 0, 1, -1)); /* slot 0 is the initial thread's */
	ck_assert_uint_eq(rt_node(p, 1, 1, -1)->calls, 4 * PAIRS);
	ck_assert_uint_eq(rt_node(p, 2, 1, -1)->calls, PAIRS);
	ck_assert_uint_eq(rt_node(p, 2, 1, 2, -1)->calls, (PAIRS + 2) / 3);
	ck_assert_uint_eq(rt_node(p, 1, -1)->calls, 4);
	check_lives(p, 1, 4);
	check_lives(p, 2, 1);
	for (uint32_t slot = 0; slot < 3; slot++)
		ck_assert_uint_eq(rt_thread(p, slot)->mismatched + rt_thread(p, slot)->unwound, 0);
	rt_free(&run);
}
END_TEST

/* -- lent slots, as the runtime for OpenMP does ------------------------------------------------ */

static void *member(void *slot)
{
	struct sis_thread *before = sis__set_thread_state(slot);
	ck_assert_ptr_null(before);
	pairs(NULL);
	sis__set_thread_state(NULL);
	return NULL;
}

static void lent_slots(void)
{
	pthread_t thread;
	rt_unit();
	struct sis_thread *self = sis__thread();
	struct sis_thread *first = sis__slot_take(), *second = sis__slot_take();
	ck_assert_uint_eq(self->pub.slot, 0);
	ck_assert_uint_eq(first->pub.slot, 1);
	ck_assert_uint_eq(second->pub.slot, 2);
	pthread_create(&thread, NULL, member, second);
	pthread_join(thread, NULL);
	sis__slot_release(first, sis__ticks());
	ck_assert_ptr_eq(sis__slot_take(), first);
	sis__slot_release(first, sis__ticks());
	sis__slot_release(second, sis__ticks());
	ck_assert_ptr_eq(sis__thread(), self);
}

START_TEST(a_lent_slot_is_filled_by_its_borrower)
{
	struct rt_run run;
	rt_run(&run, lent_slots);
	ck_assert_int_eq(run.status, 0);
	ck_assert_uint_eq(rt_node(&run.profile[0], 2, 1, -1)->calls, PAIRS);
	ck_assert_uint_eq(rt_node(&run.profile[0], 1, -1)->calls, 2);
	rt_free(&run);
}
END_TEST

/* -- ends -------------------------------------------------------------------------------------- */

static void *exits_inside(void *unused)
{
	SIS_SCOPE(1)
	SIS_ENTER(2)
	exit(0);
	return unused;
}

static int running; /* the first thread is inside its region */

static void *never_ends(void *unused)
{
	SIS_ENTER(3)
	__atomic_store_n(&running, 1, __ATOMIC_RELEASE); /* with exit_in_a_thread */
	for (;;)
		pairs(NULL);
	return unused;
}

static void exit_in_a_thread(void)
{
	pthread_t thread;
	rt_unit();
	SIS_ENTER(4)
	pthread_create(&thread, NULL, never_ends, NULL);
	while (!__atomic_load_n(&running, __ATOMIC_ACQUIRE)) /* with never_ends */
		usleep(100);
	pthread_create(&thread, NULL, exits_inside, NULL);
	pthread_join(thread, NULL);
}

START_TEST(exit_with_threads_running_closes_everything)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, exit_in_a_thread);
	ck_assert_uint_eq(p->header->state, SIS_STATE_ENDED);
	ck_assert_uint_gt(rt_node(p, 0, 4, -1)->total, 0);
	ck_assert_uint_gt(rt_node(p, 1, 3, -1)->total, 0);
	ck_assert_uint_gt(rt_node(p, 2, 1, 2, -1)->total, 0);
	ck_assert_uint_eq(rt_thread(p, 2)->unwound, 0);
	for (uint32_t slot = 0; slot < 3; slot++)
		ck_assert_ptr_eq(rt_thread(p, slot)->current, rt_thread(p, slot)->root);
	rt_free(&run);
}
END_TEST

/* gcc's thread sanitizer hangs in any program whose thread forks after main has ended. */
#if defined __SANITIZE_THREAD__
#define OUTLIVES_MAIN
#else
#define OUTLIVES_MAIN threads_may_outlive_main_and_fork,

static void *forks_unmeasured(void *unused)
{
	if (fork() == 0) {
		SIS_ENTER(2)
		SIS_LEAVE(2)
		exit(0);
	}
	wait(NULL);
	return unused;
}

/* Where main's frames are gone, the leak checker finds nothing that leads to what Check has
 * allocated. */
SIS_EXPORT const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static void main_ends_first(void)
{
	pthread_t thread;
	rt_unit();
	SIS_ENTER(1)
	pthread_create(&thread, NULL, forks_unmeasured, NULL);
	pthread_exit(NULL);
}

START_TEST(threads_may_outlive_main_and_fork)
{
	struct rt_run run;
	rt_run(&run, main_ends_first);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 2);
	struct rt_profile *p = &run.profile[0], *child = &run.profile[1];
	rt_check_whole(p);
	rt_check_whole(child);
	ck_assert_uint_eq(rt_node(p, 0, 1, -1)->calls, 1);
	/* the whole run */
	ck_assert_uint_gt(rt_node(p, 0, -1)->total, rt_node(p, 0, 1, -1)->total);
	ck_assert_uint_eq(rt_node(child, 0, 2, -1)->calls, 1);
	ck_assert_ptr_null(rt_node(child, 0, 1, -1)); /* main's tree was not this thread's */
	ck_assert_uint_eq(child->header->max_slots, 1);
	rt_free(&run);
}
END_TEST
#endif

static void by_abort(void)
{
	rt_unit();
	SIS_ENTER(1)
	abort();
}

static void by_underscore_exit(void)
{
	rt_unit();
	SIS_ENTER(1)
	_exit(7);
}

static void by_exec(void)
{
	rt_unit();
	SIS_ENTER(1)
	execl("/nonexistent", "x", (char *)NULL);
	ck_assert_uint_eq(sis__header()->state, SIS_STATE_RUNNING);
	execlp("true", "true", (char *)NULL);
}

static void by_vforked_child(void)
{
	rt_unit();
	if (vfork() == 0)
		_exit(3); /* is not this process */
	wait(NULL);
	ck_assert_uint_eq(sis__header()->state, SIS_STATE_RUNNING);
}

START_TEST(the_way_a_process_ended_is_noted)
{
	static const struct { void (*body)(void); uint32_t state; int32_t status; } end[] = {
		{ by_abort, SIS_STATE_SIGNAL, SIGABRT },
		{ by_underscore_exit, SIS_STATE_ABORTED, 7 },
		{ by_exec, SIS_STATE_EXEC, 0 },
		{ by_vforked_child, SIS_STATE_ENDED, 0 },
	};
	for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
		struct rt_run run;
		rt_run(&run, end[i].body);
		ck_assert_int_eq(run.profiles, 1);
		ck_assert_uint_eq(run.profile[0].header->state, end[i].state);
		ck_assert_int_eq(run.profile[0].header->status, end[i].status);
		rt_check_whole(&run.profile[0]);
		rt_free(&run);
	}
}
END_TEST

static volatile int handled;

static void handler(int signal)
{
	(void)signal;
	SIS_SCOPE(5)
	SIS_ENTER(6)
	SIS_LEAVE(6)
	handled++;
}

static void signals(void)
{
	rt_unit();
	signal(SIGALRM, handler);
	ualarm(200, 200);
	for (int i = 0; handled < 200; i++) {
		/* new nodes, the list, the index */
		sis__enter(&sis__unit, &sis__regions[10 + i % 1000]);
		pairs(NULL);
		sis__leave(&sis__regions[10 + i % 1000]);
	}
	ualarm(0, 0);
	ck_assert_ptr_eq(sis__thread()->pub.current, sis__thread()->pub.root);
}

START_TEST(handlers_that_enter_regions_do_no_harm)
{
	struct rt_run run;
	rt_run_whole(&run, signals);
	ck_assert_uint_eq(rt_thread(&run.profile[0], 0)->mismatched +
				  rt_thread(&run.profile[0], 0)->unwound,
			  0);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("thread", threads_fill_the_smallest_free_slots, a_lent_slot_is_filled_by_its_borrower,
	  exit_with_threads_running_closes_everything,
	  OUTLIVES_MAIN the_way_a_process_ended_is_noted, handlers_that_enter_regions_do_no_harm)
