/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters without a leave and leaves without an enter: all builds count them, debug builds name
 * the regions. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "rt_support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char told[4096]; /* what the process said */
static char told_in[UNIT_PATH];

static void run_telling(struct rt_run *run, void (*body)(void))
{
	int file = mkstemp(unit_template(told_in));
	ck_assert_int_ge(file, 0);
	rt_run(run, body);
	ssize_t length = read(file, told, sizeof told - 1);
	told[length > 0 ? length : 0] = '\0';
	close(file);
	unlink(told_in);
}

static void begin(void)
{
	static const char idf[] =
		"{\"source\":\"a "
		"\\\"name\\\":\",\"regions\":[{\"name\":\"none\"},{\"name\":\"left\"},{"
		"\"name\":\"kept\"},"
		"{\"name\":\"whole\"}]}";
	sis__unit.idf = idf;
	sis__unit.idf_length = sizeof idf - 1;
	rt_unit();
	dup2(open(told_in, O_WRONLY), 2);
}

static void unbalanced(void)
{
	begin();
	for (int i = 0; i < 3; i++) {
		SIS_ENTER(3)
		SIS_ENTER(2)
		SIS_LEAVE(3)
		SIS_LEAVE(1)
	}
}

START_TEST(what_does_not_balance_is_counted)
{
	struct rt_run run;
	run_telling(&run, unbalanced);
	ck_assert_uint_eq(rt_thread(&run.profile[0], 0)->unwound, 3);
	ck_assert_uint_eq(rt_thread(&run.profile[0], 0)->mismatched, 3);
#ifdef SIS_DEBUG
	ck_assert_ptr_nonnull(strstr(told, "region 'kept' ("));
	ck_assert_ptr_nonnull(strstr(told, "was not left, times: 3\n"));
	ck_assert_ptr_nonnull(strstr(told, "region 'left' ("));
	ck_assert_ptr_nonnull(strstr(told, "was left when it was not open, times: 3\n"));
	ck_assert_ptr_null(strstr(told, "whole"));
#else
	ck_assert_str_eq(told, "");
#endif
	rt_free(&run);
}
END_TEST

static void ends_inside(void)
{
	begin();
	SIS_ENTER(3)
	SIS_ENTER(2)
}

START_TEST(what_is_open_at_the_end_was_not_left_too_early)
{
	struct rt_run run;
	run_telling(&run, ends_inside);
	ck_assert_uint_eq(rt_thread(&run.profile[0], 0)->unwound, 0);
	ck_assert_str_eq(told, "");
	rt_free(&run);
}
END_TEST

UNIT_MAIN("balance", what_does_not_balance_is_counted,
	  what_is_open_at_the_end_was_not_left_too_early)
