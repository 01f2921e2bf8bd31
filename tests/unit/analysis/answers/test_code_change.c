/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Whether the programmer or the compiler changed a function, and how the reason is put. */
#include "unit.h"
#include "answers/query/code_change.h"

#include <stdlib.h>
#include <string.h>

static void change_is(struct graph_region before, struct graph_region after, int64_t calls,
		      enum sis_overhead leaf, const char *reason)
{
	const struct code a = { &before, 4 }, b = { &after, calls };
	struct code_change change = code_change_between(&a, &b, true);
	ck_assert_str_eq(sis_overhead_table[change.leaf].name, sis_overhead_table[leaf].name);
	ck_assert_msg(strstr(change.reason, reason) != NULL, "no '%s' in '%s'", reason,
		      change.reason);
	free(change.reason);
}

static struct graph_region code(const char *file, const char *tokens, const char *build)
{
	return (struct graph_region){ .checksum = (char *)file, .tokens = (char *)tokens,
				      .build = (char *)build };
}

START_TEST(tokens_decide_before_flags)
{
	struct graph_region first = code("1", "ab", "gcc -O0");
	change_is(first, code("1", "cd", "gcc -O2"), 4, OADD_ALGO, "cd, and ab in the sequential");
	change_is(first, code("1", "abc", "gcc -O0"), 4, OADD_ALGO, "is another");
	change_is(first, code("2", "ab", "gcc -O0"), 5, OADD_ALGO,
		  "calls it 5 times, the sequential one 4 times");
}
END_TEST

START_TEST(flags_decide_if_the_text_is_the_same)
{
	struct graph_region first = code("1", "ab", "gcc 12 -O0 -fopenmp");
	change_is(first, code("2", "ab", "gcc 12 -O2 -fopenmp"), 4, OADD_COMP,
		  "same; only the parallel version is built with -O2; only the sequential one is "
		  "built with -O0");
	change_is(first, code("2", "ab", "gcc 12 -O0"), 4, OADD_COMP,
		  "the same; only the sequential one is built with -fopenmp");
	change_is(first, code("2", "ab", "gcc 13 -O0 -fopenmp"), 4, OADD_COMP,
		  "version is built with 13; only the sequential one is built with 12");
	change_is(first, code("2", "ab", "gcc 12 -O0 -fopenmp"), 4, OUNID, "are the same");
}
END_TEST

/* own.unmeasured.all */
START_TEST(texts_of_callees_count_if_they_are_not_measured)
{
	struct graph_region first = code("1", "ab.12.34", "gcc");
	change_is(first, code("2", "ab.12.56", "gcc"), 4, OUNID, "are the same");
	change_is(first, code("2", "ab.00.34", "gcc"), 4, OUNID, "are the same");
	change_is(first, code("2", "ab.13.56", "gcc"), 4, OADD_ALGO, "functions that it calls");
	change_is(first, code("2", "ac.12.34", "gcc"), 4, OADD_ALGO, "ac, and ab in the");
	change_is(first, code("2", "ab..", "gcc"), 4, OADD_ALGO, "functions that it calls");
	change_is(first, code("2", "ab.12", "gcc"), 4, OADD_ALGO, "functions that it calls");
	change_is(first, code("2", "ab", "gcc"), 4, OUNID, "are the same"); /* in other units */
}
END_TEST

/* Experiments of an older sisc. */
START_TEST(files_decide_without_tokens)
{
	struct graph_region first = code("1", "", "");
	change_is(first, code("1", "", ""), 5, OADD_COMP, "the text of the file is the same");
	change_is(first, code("2", "ab", "gcc"), 4, OADD_ALGO, "the text of the file is another");
	change_is(code("", "", ""), code("2", "", ""), 4, OADD_COMP, "all files that are known");
}
END_TEST

UNIT_MAIN("code_change", tokens_decide_before_flags, flags_decide_if_the_text_is_the_same,
	  texts_of_callees_count_if_they_are_not_measured, files_decide_without_tokens)
