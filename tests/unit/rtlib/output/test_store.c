/* SPDX-License-Identifier: BSD-3-Clause */
/* The file: what it holds when the process was killed, ran out of disk space, forked, moved, or
 * had no place. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so -ldl */
#include "unit.h"

#include "output/run/directory.h"
#include "rt_support.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- faults: the library's calls come here first ----------------------------------------------- */

static int allocations_left = -1; /* posix_fallocate fails when they are used up; -1: never */

SIS_EXPORT int posix_fallocate(int fd, off_t from, off_t length)
{
	static int (*real)(int, off_t, off_t);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "posix_fallocate");
	if (allocations_left == 0)
		return ENOSPC;
	if (allocations_left > 0)
		allocations_left--;
	return real(fd, from, length);
}

/* -- bodies ------------------------------------------------------------------------------------ */

static void many_nodes(void)
{
	for (int i = 0; i < 1000; i++) {
		sis__enter(&sis__unit, &sis__regions[i]);
		for (int j = 0; j < 40; j++) {
			sis__enter(&sis__unit, &sis__regions[j]);
			sis__leave(&sis__regions[j]);
		}
		sis__leave(&sis__regions[i]);
	}
}

static void killed(void)
{
	rt_unit();
	SIS_ENTER(1)
	SIS_ENTER(2)
	SIS_LEAVE(2)
	SIS_ENTER(3)
	kill(getpid(), SIGKILL);
}

START_TEST(a_killed_process_leaves_what_it_measured)
{
	struct rt_run run;
	rt_run(&run, killed);
	ck_assert(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGKILL);
	struct rt_profile *p = &run.profile[0];
	rt_check_whole(p);
	ck_assert_uint_eq(p->header->state, SIS_STATE_RUNNING);
	ck_assert_uint_gt(p->header->ticks_per_second, 0);
	ck_assert_uint_eq(rt_node(p, 0, 1, 2, -1)->calls, 1);
	ck_assert_ptr_eq(rt_at(p, rt_thread(p, 0)->current), rt_node(p, 0, 1, 3, -1)); /* open */
	ck_assert_uint_eq(rt_node(p, 0, 1, 3, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(p, 0, 1, 3, -1)->total, 0);
	rt_free(&run);
}
END_TEST

static void full_disk(void)
{
	rt_unit();
	SIS_ENTER(0)
	allocations_left = 2;
	many_nodes();
	many_nodes();
	ck_assert_ptr_eq(sis__thread()->pub.current->parent, sis__thread()->pub.root);
	SIS_LEAVE(0)
	ck_assert_ptr_eq(sis__thread()->pub.current, sis__thread()->pub.root);
}

START_TEST(a_full_disk_drops_new_nodes_and_keeps_old_ones_exact)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, full_disk);
	ck_assert_uint_eq(p->header->state, SIS_STATE_ENDED);
	ck_assert_uint_gt(rt_thread(p, 0)->dropped_nodes, 1000);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched + rt_thread(p, 0)->unwound, 0);
	ck_assert_uint_eq(rt_node(p, 0, 0, 5, -1)->calls, 2);
	ck_assert_uint_eq(rt_node(p, 0, 0, 5, 6, -1)->calls, 2);
	ck_assert(rt_has_text(p, "warning\tcannot extend"));
	rt_free(&run);
}
END_TEST

static void no_space_at_all(void)
{
	allocations_left = 0;
	rt_unit();
	many_nodes();
	ck_assert_ptr_null(sis__thread());
	ck_assert_uint_eq(sis__regions[0].id, SIS_ID_OFF);
	ck_assert_str_eq(sis__store_directory(), "");
}

START_TEST(no_space_for_a_file_switches_off_and_leaves_nothing)
{
	struct rt_run run;
	rt_run(&run, no_space_at_all);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 0);
	rt_free(&run);
}
END_TEST

static void nowhere(void)
{
	sis__config.output = "/proc/nowhere/x";
	rt_unit();
	many_nodes();
	ck_assert_ptr_null(sis__thread());
}

START_TEST(a_directory_that_cannot_be_made_switches_off)
{
	struct rt_run run;
	rt_run(&run, nowhere);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 0);
	rt_free(&run);
}
END_TEST

static void limited(void)
{
	struct rlimit limit = { 400 << 10, 400 << 10 };
	setrlimit(RLIMIT_FSIZE, &limit); /* to go past it is a signal */
	rt_unit();
	many_nodes();
}

START_TEST(a_limit_on_file_size_is_respected)
{
	struct rt_run run;
	rt_run_whole(&run, limited);
	ck_assert_uint_le(run.profile[0].length, 400 << 10);
	ck_assert_uint_gt(rt_thread(&run.profile[0], 0)->dropped_nodes, 0);
	rt_free(&run);
}
END_TEST

/* A program that closes every descriptor, as daemons do, must not have one of its own files grown.
 */
static void closes_all(void)
{
	rt_unit();
	for (int fd = 3; fd < 100; fd++)
		close(fd);
	int own = open("/dev/null", O_RDWR);
	many_nodes();
	close(own);
}

START_TEST(closing_all_descriptors_does_not_matter)
{
	struct rt_run run;
	rt_run_whole(&run, closes_all);
	ck_assert_uint_eq(rt_thread(&run.profile[0], 0)->dropped_nodes, 0);
	ck_assert_uint_eq(rt_node(&run.profile[0], 0, 999, 39, -1)->calls, 1);
	rt_free(&run);
}
END_TEST

/* -- directories ------------------------------------------------------------------------------- */

static void two_runs(void)
{
	char run[300], line[80] = "";
	snprintf(run, sizeof run, "%s/run", sis__config.output);
	FILE *file = fopen(run, "w");
	fputs("another-1-2\n", file);
	fclose(file);
	rt_unit();
	SIS_ENTER(1)
	SIS_LEAVE(1)
	ck_assert_str_eq(sis__store_directory() + strlen(sis__config.output), "-2");
	file = fopen(run, "r");
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	ck_assert_str_eq(line, "another-1-2\n");
	fclose(file);
}

START_TEST(another_run_keeps_its_directory)
{
	struct rt_run run;
	rt_run(&run, two_runs);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 0);
	rt_free(&run);
}
END_TEST

/* -- fork -------------------------------------------------------------------------------------- */

static void forks(void)
{
	rt_unit();
	SIS_ENTER(1)
	SIS_ENTER(1102)
	SIS_LEAVE(1102)
	SIS_ENTER(1103)
	if (fork() == 0) {
		SIS_ENTER(1102)
		SIS_LEAVE(1102)
		SIS_LEAVE(1103) /* entered by the parent */
		many_nodes();
		exit(0);
	}
	wait(NULL);
	if (fork() == 0)
		exit(0); /* does nothing: leaves nothing */
	wait(NULL);
	SIS_LEAVE(1103)
	SIS_LEAVE(1)
}

START_TEST(a_forked_child_has_a_file_of_its_own)
{
	struct rt_run run;
	rt_run(&run, forks);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 2);
	struct rt_profile *parent = &run.profile[0], *child = &run.profile[1];
	rt_check_whole(parent);
	rt_check_whole(child);
	ck_assert_uint_eq(child->header->parent_pid, parent->header->pid);
	ck_assert_str_eq(child->header->run_id, parent->header->run_id);
	ck_assert_uint_eq(rt_node(parent, 0, 1, 1102, -1)->calls, 1);
	/* the child did not write here */
	ck_assert_uint_eq(rt_node(parent, 0, 1, 1103, -1)->children, 0);
	ck_assert_uint_eq(rt_node(child, 0, 1, 1102, -1)->calls, 0);
	ck_assert_uint_eq(rt_node(child, 0, 1, 1103, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(child, 0, 1, 1103, 1102, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(child, 0, 1, 999, 39, -1)->calls, 1);
	ck_assert_uint_eq(rt_thread(child, 0)->mismatched, 0);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("store", a_killed_process_leaves_what_it_measured,
	  a_full_disk_drops_new_nodes_and_keeps_old_ones_exact,
	  no_space_for_a_file_switches_off_and_leaves_nothing,
	  a_directory_that_cannot_be_made_switches_off, a_limit_on_file_size_is_respected,
	  closing_all_descriptors_does_not_matter, another_run_keeps_its_directory,
	  a_forked_child_has_a_file_of_its_own)
