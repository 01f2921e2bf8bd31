/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Files of MPI wrappers: which ones are, and the first callers outside of them. */
#include "unit.h"
#include "answers/query/mpi_wrappers.h"

#include <stdlib.h>

/* Regions are letters; a path is the text of its regions, from the outermost one. Capital letters
 * are calls of MPI. */
static uint32_t add(struct call_paths *paths, const char *regions)
{
	static int64_t node;
	uint32_t path = NO_PATH;
	for (; *regions; regions++) {
		char name[] = { *regions, 0 };
		path = call_paths_add(paths, path, *regions, name, ++node);
	}
	return path;
}

/* Adds regions of a file; m is the program. Calls of MPI take 10 ns each, others `useful`. */
static void add_file(wrapper_regions *regions, int number, const char *names, int useful)
{
	for (; *names; names++) {
		bool is_mpi = *names < 'a';
		*vec_push(regions) = (struct wrapper_region){
			.region = *names, .file = number, .is_mpi = is_mpi,
			.is_function = !is_mpi && *names != 'm', .is_program = *names == 'm',
			.useful_ns = is_mpi ? 0 : useful, .own_ns = is_mpi ? 10 : useful,
		};
	}
}

/* Of a program with these paths: how many regions of the first one are shown. File 1 has m, c and d
 * and calls MPI, file 2 has `names`. */
static uint32_t outside(const char *const *regions, const char *names, int useful)
{
	struct call_paths paths = { 0 };
	wrapper_regions all = { 0 };
	uint32_t first = add(&paths, *regions);
	for (const char *const *more = regions + 1; *more; more++)
		add(&paths, *more);
	add_file(&all, 1, "mcdX", 1000);
	add_file(&all, 2, names, useful);
	mpi_wrappers_find(&paths, &all);
	uint32_t n = paths.path.at[first].outside;
	call_paths_release(&paths), vec_free(&all);
	return n;
}
#define OUTSIDE(names, useful, ...) \
	outside((const char *const[]){ __VA_ARGS__, NULL }, names, useful)

START_TEST(several_small_functions_are_wrappers)
{
	ck_assert_int_eq(OUTSIDE("stSR", 1, "mcsS", "mctR"), 3);
	ck_assert_int_eq(OUTSIDE("stSR", 1, "mctsS", "mctR"), 4);
}
END_TEST

START_TEST(one_function_is_a_wrapper_if_it_has_several_callers)
{
	ck_assert_int_eq(OUTSIDE("sS", 1, "mcsS"), 0);
	ck_assert_int_eq(OUTSIDE("sS", 1, "mcsS", "mdsS"), 3);
	ck_assert_int_eq(OUTSIDE("sS", 1, "mcsS", "mdcsS"), 0);
}
END_TEST

START_TEST(a_file_that_works_or_calls_others_has_no_wrappers)
{
	ck_assert_int_eq(OUTSIDE("stSR", 11, "mcsS", "mctR"), 0);
	ck_assert_int_eq(OUTSIDE("stSR", 1, "mcsS", "mctR", "mctd"), 0);
	ck_assert_int_eq(OUTSIDE("stSR", 1, "mcsS", "mctR", "mctz"), 0);
}
END_TEST

START_TEST(functions_with_many_calls_are_none)
{
	ck_assert_int_eq(OUTSIDE("stSRUVW", 1, "mcsS", "mctR", "mcsU", "mcsV", "mcsW"), 0);
}
END_TEST

START_TEST(the_programs_own_file_has_none)
{
	struct call_paths paths = { 0 };
	wrapper_regions all = { 0 };
	uint32_t path = add(&paths, "mcX");
	add(&paths, "mdX");
	add_file(&all, 1, "mcdX", 1);
	mpi_wrappers_find(&paths, &all);
	ck_assert_int_eq(paths.path.at[path].outside, 0);
	call_paths_release(&paths), vec_free(&all);
}
END_TEST

START_TEST(names_begin_with_the_caller)
{
	struct call_paths paths = { 0 };
	wrapper_regions all = { 0 };
	uint32_t path = add(&paths, "mcsS");
	add(&paths, "mctR");
	add_file(&all, 1, "mc", 1000);
	add_file(&all, 2, "stSR", 1);
	mpi_wrappers_find(&paths, &all);
	call_paths_name(&paths);
	char *name = call_path_text(&paths, path, paths.path.at[path].shown, ">");
	ck_assert_str_eq(name, "c>s>S");
	free(name);
	call_paths_release(&paths), vec_free(&all);
}
END_TEST

UNIT_MAIN("mpi wrappers", several_small_functions_are_wrappers,
	  one_function_is_a_wrapper_if_it_has_several_callers,
	  a_file_that_works_or_calls_others_has_no_wrappers, functions_with_many_calls_are_none,
	  the_programs_own_file_has_none, names_begin_with_the_caller)
