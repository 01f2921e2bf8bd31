/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Ratios as users write them: what they are worth, and what is wrong with them. */
#include "unit.h"
#include <math.h>
#include "base/expr.h"

static const char *const names[] = { "A", "B", "PAPI(x::y 3)", "ZERO", "UNKNOWN" };
static const double values[] = { 6, 4, 10, 0, NAN };

static int64_t look_up(void *context, const char *name, struct err *err)
{
	(void)context;
	for (int64_t i = 0; i < 5; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return err_usage(err, "unknown metric '%s'", name);
}

static double value(const char *text)
{
	struct expr e;
	struct err err = { 0 };
	ck_assert_msg(expr_parse(&e, text, "r", look_up, NULL, &err) == 0, "%s", err.text);
	double v = expr_value(&e, values);
	expr_release(&e);
	return v;
}

START_TEST(arithmetic_is_the_usual)
{
	ck_assert_double_eq(value("A / B"), 1.5);
	ck_assert_double_eq(value("1+2*3 - 4/2"), 5);
	ck_assert_double_eq(value("(1+2)*-(3 - 4)"), 3);
	ck_assert_double_eq(value("8/4/2"), 1);
	ck_assert_double_eq(value("A-B-1"), 1);
	ck_assert_double_eq(value("--A"), 6);
	ck_assert_double_eq(value("\t1e3*.5 "), 500);
	ck_assert_double_eq(value("PAPI(x::y 3)/2"), 5);
	ck_assert_double_eq(value("min(A,B)+MAX(A , 1/2)"), 10);
}
END_TEST

START_TEST(what_is_not_known_has_no_value)
{
	static const char *const none[] = { "A/ZERO",	      "A/(B-4)",
					    "UNKNOWN+1",      "0*UNKNOWN",
					    "max(UNKNOWN,1)", "min(1,UNKNOWN)",
					    "1e308*10",	      "0/0" };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ck_assert_msg(isnan(value(none[i])), "%s has a value", none[i]);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
	static const char *const wrong[][2] = {
		{ "", "ends where a value" },
		{ "A+", "ends where a value" },
		{ "A B", "'B' at column 3" },
		{ "(A", "ends where ')'" },
		{ "A)", "')' at column 2" },
		{ "*A", "'*' at column 1" },
		{ "min(A)", "',' and a second value" },
		{ "PAPI(x", "not closed" },
		{ "C", "unknown metric 'C'" },
		{ "A;B", "';' at column 2" },
		{ "min", "'('" },
		{ ".", "a value" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct expr e;
		struct err err = { 0 };
		ck_assert_int_eq(expr_parse(&e, wrong[i][0], "r", look_up, NULL, &err), ERR_USAGE);
		ck_assert_msg(strstr(err.text, wrong[i][1]), "%s: '%s'", wrong[i][0], err.text);
	}
}
END_TEST

/* The parser calls itself: no text may make it do so without end. */
START_TEST(depth_is_bounded)
{
	char *deep = calloc(200001, 1);
	struct expr e;
	struct err err = { 0 };
	memset(deep, '(', 200000);
	ck_assert_int_eq(expr_parse(&e, deep, "r", look_up, NULL, &err), ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, "nested"));
	memset(deep, '-', 200000);
	ck_assert_int_eq(expr_parse(&e, deep, "r", look_up, NULL, &err), ERR_USAGE);
	memset(deep, ' ', 200000);
	for (int i = 0; i < 199998; i += 2)
		memcpy(deep + i, "1-", 2);
	memcpy(deep + 199998, "1 ", 2);
	ck_assert_double_eq(value(deep), 1 - 199998 / 2);
	free(deep);
}
END_TEST

UNIT_MAIN("expr", arithmetic_is_the_usual, what_is_not_known_has_no_value, what_is_wrong_is_said,
	  depth_is_bounded)
