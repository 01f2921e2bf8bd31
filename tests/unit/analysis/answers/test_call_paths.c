/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Call paths: recursion is one path, and names tell paths of the same region apart. */
#include "unit.h"
#include "answers/query/call_paths.h"

#include <stdlib.h>
#include <string.h>

/* Regions are letters; a path is the text of its regions, from the outermost one. */
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

/* What a path is called beside the others. */
static char *name_of(struct call_paths *paths, const char *regions)
{
	uint32_t path = add(paths, regions);
	return call_path_text(paths, path, paths->path.at[path].shown, ">");
}

#define NAMED(paths, regions, wanted) \
	do { \
		char *text = name_of(paths, regions); \
		ck_assert_str_eq(text, wanted); \
		free(text); \
	} while (0)

START_TEST(a_region_with_one_caller_is_named_alone)
{
	struct call_paths paths = { 0 };
	add(&paths, "mab");
	add(&paths, "mc");
	call_paths_name(&paths);
	NAMED(&paths, "mab", "b");
	NAMED(&paths, "mc", "c");
	NAMED(&paths, "m", "m");
	call_paths_release(&paths);
}
END_TEST

START_TEST(callers_tell_paths_apart)
{
	struct call_paths paths = { 0 };
	add(&paths, "mah");
	add(&paths, "mbh");
	add(&paths, "maxs");
	add(&paths, "mbxs");
	add(&paths, "mys");
	call_paths_name(&paths);
	NAMED(&paths, "mah", "a>h");
	NAMED(&paths, "mbh", "b>h");
	NAMED(&paths, "maxs", "a>x>s");
	NAMED(&paths, "mbxs", "b>x>s");
	NAMED(&paths, "mys", "y>s");
	call_paths_release(&paths);
}
END_TEST

START_TEST(a_path_that_ends_another_one_is_named_whole)
{
	struct call_paths paths = { 0 };
	add(&paths, "wh");
	add(&paths, "mwh");
	add(&paths, "h");
	call_paths_name(&paths);
	NAMED(&paths, "wh", "w>h");
	NAMED(&paths, "mwh", "m>w>h");
	NAMED(&paths, "h", "h");
	call_paths_release(&paths);
}
END_TEST

START_TEST(recursion_is_one_path)
{
	struct call_paths paths = { 0 };
	uint32_t f = add(&paths, "mf"), g = add(&paths, "mfg");
	ck_assert_uint_eq(add(&paths, "mff"), f);
	ck_assert_uint_eq(add(&paths, "mfgfgf"), f);
	ck_assert_uint_eq(add(&paths, "mfgfg"), g);
	ck_assert_uint_eq(paths.path.n, 3);
	uint32_t h = add(&paths, "mfgfh");
	char *text = call_path_text(&paths, h, paths.path.at[h].length, "/");
	ck_assert_str_eq(text, "m/f/h");
	free(text);
	call_paths_release(&paths);
}
END_TEST

/* Two functions of one name in different files: the names are equal, and as long as they can be. */
START_TEST(equal_texts_stay_equal)
{
	struct call_paths paths = { 0 };
	uint32_t m = call_paths_add(&paths, NO_PATH, 1, "m", 1);
	uint32_t a = call_paths_add(&paths, m, 2, "a", 2), b = call_paths_add(&paths, m, 3, "a", 3);
	uint32_t x = call_paths_add(&paths, a, 4, "h", 4), y = call_paths_add(&paths, b, 4, "h", 5);
	call_paths_name(&paths);
	ck_assert_uint_ne(x, y);
	ck_assert_uint_eq(paths.path.at[x].shown, 3);
	ck_assert_uint_eq(paths.path.at[y].shown, 3);
	call_paths_release(&paths);
}
END_TEST

UNIT_MAIN("call paths", a_region_with_one_caller_is_named_alone, callers_tell_paths_apart,
	  a_path_that_ends_another_one_is_named_whole, recursion_is_one_path,
	  equal_texts_stay_equal)
