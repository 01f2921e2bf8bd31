/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime without memory: whichever allocation fails, the program goes on, and what is measured
 * is right. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "rt_support.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- faults: the library's calls come here first ----------------------------------------------- */

/* mappings of private memory fail when they are used up; -1: never */
static int anonymous_left = -1;

/* Sanitizers come here before they are ready. */
SIS_EXPORT __attribute__((no_sanitize("thread", "address"))) void *mmap(void *address,
									size_t length,
									int protection, int flags,
									int fd, off_t offset)
{
	if (fd < 0 && anonymous_left >= 0 && anonymous_left-- == 0) {
		anonymous_left = 0;
		errno = ENOMEM;
		return MAP_FAILED;
	}
	/* a sanitizer's, when there is one */
	static void *(*real)(void *, size_t, int, int, int, off_t);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "mmap");
	return real(address, length, protection, flags, fd, offset);
}

/* -- the index of children --------------------------------------------------------------------- */

static int indexes; /* how many mappings it may have */

static void siblings_without_index(void)
{
	rt_unit();
	sis__thread();
	anonymous_left = indexes;
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 1000; i++) {
			sis__enter(&sis__unit, &sis__regions[i]);
			for (int j = 0; j < 3; j++) {
				sis__enter(&sis__unit, &sis__regions[j]);
				sis__leave(&sis__regions[j]);
			}
			sis__leave(&sis__regions[i]);
		}
	anonymous_left = -1;
	for (int i = 0; i < 1000; i++) { /* and once there is memory again */
		sis__enter(&sis__unit, &sis__regions[0]);
		sis__enter(&sis__unit, &sis__regions[i]);
		sis__leave(&sis__regions[i]);
		sis__leave(&sis__regions[0]);
	}
}

START_TEST(children_are_found_without_an_index)
{
	for (indexes = 0; indexes < 3; indexes++) {
		struct rt_run run;
		rt_run(&run, siblings_without_index);
		ck_assert_int_eq(run.status, 0);
		struct rt_profile *p = &run.profile[0];
		rt_check_whole(p);
		ck_assert_uint_eq(rt_children(p, rt_node(p, 0, -1)), 1000);
		ck_assert_uint_eq(rt_node(p, 0, 0, -1)->children, 1000);
		for (int i = 1; i < 1000; i++) {
			ck_assert_uint_eq(rt_node(p, 0, i, -1)->calls, 3);
			ck_assert_uint_eq(rt_node(p, 0, 0, i, -1)->calls, i < 3 ? 4 : 1);
		}
		rt_free(&run);
	}
}
END_TEST

/* -- registration ------------------------------------------------------------------------------ */

static void register_without_memory(void)
{
	ck_assert_ptr_nonnull(sis__thread()); /* the store is there */
	anonymous_left = 0;
	rt_unit();
	anonymous_left = -1;
	ck_assert_uint_eq(sis__regions[0].id, SIS_ID_OFF);
	SIS_ENTER(0)
	SIS_LEAVE(0)
}

START_TEST(a_unit_without_room_for_its_facts_is_off)
{
	struct rt_run run;
	rt_run_whole(&run, register_without_memory);
	ck_assert_uint_eq(rt_children(&run.profile[0], rt_node(&run.profile[0], 0, -1)), 0);
	rt_free(&run);
}
END_TEST

/* -- fork -------------------------------------------------------------------------------------- */

static void fork_without_memory(void)
{
	rt_unit();
	SIS_ENTER(1)
	anonymous_left = 0;
	if (fork() == 0) {
		SIS_ENTER(2)
		SIS_LEAVE(2)
		SIS_LEAVE(1)
		ck_assert_ptr_null(sis__thread());
		exit(0);
	}
	anonymous_left = -1;
	int status;
	wait(&status);
	ck_assert_int_eq(status, 0);
	SIS_LEAVE(1)
}

START_TEST(a_child_without_memory_is_not_measured_and_harms_nobody)
{
	struct rt_run run;
	rt_run(&run, fork_without_memory);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 1);
	rt_check_whole(&run.profile[0]);
	ck_assert_uint_eq(run.profile[0].header->state, SIS_STATE_ENDED);
	ck_assert_uint_eq(rt_node(&run.profile[0], 0, 1, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(&run.profile[0], 0, 1, -1)->children, 0);
	rt_free(&run);
}
END_TEST

/* -- the stack of folded recursion ------------------------------------------------------------- */

static void deep_recursion(void)
{
	rt_unit();
	for (int i = 0; i < 100; i++)
		SIS_ENTER(1)
	anonymous_left = 0;
	for (int i = 100; i < 10000; i++)
		SIS_ENTER(1)
	for (int i = 0; i < 10000; i++)
		SIS_LEAVE(1)
	anonymous_left = -1;
	SIS_ENTER(2)
	SIS_LEAVE(2)
}

/* What finds no room is skipped whole, and counted. */
START_TEST(recursion_without_memory_is_its_callers_time)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, deep_recursion);
	struct sis_node *node = rt_node(p, 0, 1, -1);
	uint64_t calls = node->calls, dropped = rt_thread(p, 0)->dropped_nodes;
	for (; node->children; calls += node->calls)
		node = rt_at(p, node->last_child);
	ck_assert_uint_gt(dropped, 0);
	ck_assert_uint_eq(calls + dropped, 10000);
	ck_assert_uint_eq(rt_node(p, 0, 2, -1)->calls, 1);
	ck_assert_uint_eq(rt_thread(p, 0)->unwound + rt_thread(p, 0)->mismatched, 0);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("faults", children_are_found_without_an_index, a_unit_without_room_for_its_facts_is_off,
	  a_child_without_memory_is_not_measured_and_harms_nobody,
	  recursion_without_memory_is_its_callers_time)
