/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Programs that calibrate runs: what they get, what they say, and how they fail. */
#include "unit.h"
#include <math.h>
#include <unistd.h>
#include "answers/calibrate/program.h"

static char directory[UNIT_PATH];

/* Runs a script, with a variable of the test and one of the state. */
static int run_script(const char *script, answer_list *answers, struct err *err)
{
	cpu_set_t cpus;
	struct program p = { .argv = { "/bin/sh", "-c", script }, .variables = { "SIS_TRACE=1" },
			     .cpus = &cpus, .directory = directory, .most_seconds = 1 };
	*answers = (answer_list){ 0 };
	*err = (struct err){ 0 };
	ck_assert_int_eq(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	if (!directory[0])
		ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	int rc = program_run(&p, answers, err);
	char *messages = mem_print("%s/messages", directory);
	unlink(messages);
	free(messages);
	rmdir(directory);
	directory[0] = '\0';
	return rc;
}

static void fails(const char *script, const char *why)
{
	answer_list answers;
	struct err err;
	ck_assert_int_ne(run_script(script, &answers, &err), 0);
	ck_assert_msg(strstr(err.text, why) != NULL, "'%s', not '%s'", err.text, why);
	answers_release(&answers);
}

START_TEST(lines_are_keys_and_numbers)
{
	answer_list answers;
	struct err err;
	ck_assert_int_eq(run_script("printf 'a b\\t1.5\\nnothing\\nc\\tnone\\nd\\tinf\\ne\\t-2\\n'",
				    &answers, &err), 0);
	ck_assert_uint_eq(answers.n, 2);
	ck_assert_double_eq(answer_of(&answers, "a b"), 1.5);
	ck_assert_double_eq(answer_of(&answers, "e"), -2);
	ck_assert(isnan(answer_of(&answers, "c")));
	answers_release(&answers);
}
END_TEST

/* The user's settings are not those of the state; other variables stay. */
START_TEST(the_environment_is_that_of_the_state)
{
	answer_list answers;
	struct err err;
	setenv("SIS_ENABLE", "7", 1), setenv("OMP_NUM_THREADS", "7", 1);
	setenv("UNIT_TEST", "3", 1), setenv("SIS_TRACE", "7", 1);
	ck_assert_int_eq(run_script("printf \"a\\t${SIS_ENABLE:-0}${OMP_NUM_THREADS:-0}"
				    "$SIS_TRACE$UNIT_TEST\\n\"", &answers, &err), 0);
	ck_assert_double_eq(answer_of(&answers, "a"), 13);
	answers_release(&answers);
}
END_TEST

START_TEST(a_failure_says_what_the_program_said)
{
	fails("echo 'no room' >&2; echo more >&2; exit 3", "failed with status 3: no room");
	fails("exit 0", "gives no result");
	fails("printf 'a\\t1\\n'; kill -9 $$", "ended by signal 9");
	fails("exec sleep 30", "did not end within 1 s");
}
END_TEST

START_TEST(a_program_that_is_missing_is_named)
{
	cpu_set_t cpus;
	answer_list answers = { 0 };
	struct err err = { 0 };
	const struct program p = { .argv = { "/nowhere/x" }, .cpus = &cpus, .directory = directory,
				   .most_seconds = 1 };
	ck_assert_int_eq(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	ck_assert_int_ne(program_run(&p, &answers, &err), 0);
	ck_assert_msg(strstr(err.text, "cannot run '/nowhere/x'"), "%s", err.text);
	char *messages = mem_print("%s/messages", directory);
	unlink(messages);
	free(messages);
	rmdir(directory);
}
END_TEST

UNIT_MAIN("program", lines_are_keys_and_numbers, the_environment_is_that_of_the_state,
	  a_failure_says_what_the_program_said, a_program_that_is_missing_is_named)
