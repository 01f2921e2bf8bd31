/* SPDX-License-Identifier: BSD-3-Clause */
/* unit.h - what every unit test program includes: Check, and a main() made from a list of tests.
 *
 *     // link: analysis/experiment/match/match.c analysis/base/err.c -lm           (see README)
 *     #include "unit.h"
 *     START_TEST(two_ranks_wait_for_the_third) { ck_assert_int_eq(...); } END_TEST
 *     UNIT_MAIN("match", two_ranks_wait_for_the_third, ...)
 *
 * Each test runs in a process of its own (Check forks), so that a crash is one failure.
 */
#ifndef SIS_TESTS_UNIT_H
#define SIS_TESTS_UNIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_path.h"

/* Check notes the line of each assertion that holds, with two system calls, to report it after a
 * crash. Some tests have a million assertions, so a crash is reported without its line. */
#define _mark_point(file, line) ((void)0)

/* Less than the limit of tests/run for the whole program, so that the hanging check is named. It is
 * long, because a busy machine must not fail a check. */
#define UNIT_TIMEOUT_SECONDS 240

static int unit_run(const char *name, const TTest *const *tests, size_t count)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	tcase_set_timeout(tcase, UNIT_TIMEOUT_SECONDS);
	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV); /* tests/run asks for TAP with CK_TAP_LOG_FILE_NAME */
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN(name, ...) \
	int main(void) \
	{ \
		const TTest *const tests[] = {__VA_ARGS__}; \
		return unit_run(name, tests, sizeof tests / sizeof *tests); \
	}

#endif
