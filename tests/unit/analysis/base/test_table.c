/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* One table in its three formats, and the JSON writer below it. */
#include "unit.h"
#include <math.h>
#include "base/table.h"
#include "base/text_width.h"

static const struct column columns[] = {
	{ "name", "name", CELL_TEXT }, { "seconds", "time", CELL_SECONDS },
	{ "n", "n", CELL_INTEGER },    { "raw", NULL, CELL_RAW },
	{ "ok", "ok", CELL_BOOL },
};

static char *printed(const struct table *table, enum format format)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	table_print(table, format, out);
	fclose(out);
	return text;
}

static void fill(struct table *table)
{
	table_init(table, columns, 5);
	table_text(table, "a,\"b\"");
	table_seconds(table, 1500000001);
	table_integer(table, -3);
	table_text(table, "{\"x\":1}");
	table_integer(table, 1);
	table_text(table, "\xc3\xbc\xff\n");
	table_null(table);
	table_integer(table, 10);
	table_text(table, NULL);
	table_integer(table, 0);
}

static void prints(enum format format, const char *expected)
{
	struct table table;
	fill(&table);
	char *text = printed(&table, format);
	ck_assert_str_eq(text, expected);
	free(text);
	table_release(&table);
}

START_TEST(json_is_exact_and_valid)
{
	prints(FORMAT_JSON,
	       "[{\"name\": \"a,\\\"b\\\"\", \"seconds\": 1.500000001, \"n\": -3, \"raw\": "
	       "{\"x\":1}, \"ok\": true},\n"
	       "{\"name\": \"\xc3\xbc\\ufffd\\u000a\", \"seconds\": null, \"n\": 10, \"raw\": "
	       "null, \"ok\": false}]\n");
}
END_TEST

/* A ratio looks the same as a cell of a column of ratios, and as a single cell among seconds. */
START_TEST(ratios_have_one_form)
{
	static const struct column forms[] = { { "part", "part", CELL_SHARE },
					       { "times", "times", CELL_FACTOR },
					       { "any", "any [s]", CELL_SECONDS } };
	struct table table;
	table_init(&table, forms, 3);
	table_real(&table, 0.3947), table_real(&table, 1.8349), table_share(&table, -0.0004);
	table_real_or_null(&table, NAN), table_null(&table), table_factor(&table, 12);
	table_real(&table, -1), table_real(&table, -0.001), table_seconds(&table, 500000000);
	char *text = printed(&table, FORMAT_TEXT), *csv = printed(&table, FORMAT_CSV);
	ck_assert_str_eq(text, "    part  times   any [s]\n"
			       "  39.5 %   1.83     0.0 %\n"
			       "       -      -     12.00\n"
			       "-100.0 %   0.00  0.500000\n");
	ck_assert_str_eq(csv, "part,times,any\n0.3947,1.8349,-0.0004\n,,12\n"
			      "-1,-0.001,0.500000000\n");
	free(text), free(csv);
	table_release(&table);
}
END_TEST

START_TEST(csv_quotes_what_must_be)
{
	prints(FORMAT_CSV,
	       "name,seconds,n,raw,ok\n\"a,\"\"b\"\"\",1.500000001,-3,\"{\"\"x\"\":1}\",true\n"
	       "\xc3\xbc\\xff\\x0a,,10,,false\n");
}
END_TEST

/* What a table of one column of text and one of numbers prints, as CSV and as text. */
static void shows(const char *name, int64_t number, const char *csv, const char *shown)
{
	static const struct column two[] = {
		{ "k", NULL, CELL_TEXT }, { NULL, "t", CELL_TEXT }, { "n", NULL, CELL_INTEGER },
	};
	struct table table;
	char *wanted_csv = mem_print("k,n\n%s\n", csv), *wanted = mem_print("t\n%s\n", shown);
	table_init(&table, two, 3);
	table_text(&table, name);
	table_text(&table, name);
	table_integer(&table, number);
	char *text = printed(&table, FORMAT_CSV);
	ck_assert_str_eq(text, wanted_csv);
	free(text);
	text = printed(&table, FORMAT_TEXT);
	ck_assert_str_eq(text, wanted);
	free(text), free(wanted_csv), free(wanted);
	table_release(&table);
}

START_TEST(no_formula_gets_into_a_spreadsheet)
{
	shows("=1+1", -5, "'=1+1,-5", "=1+1");
	shows("-O2 -g", 1, "'-O2 -g,1", "-O2 -g");
	shows("+x", 1, "'+x,1", "+x");
	shows("@x,y", 1, "\"'@x,y\",1", "@x,y");
	shows("\t=1", 1, "'\\x09=1,1", "\\x09=1");
	shows("\r=1", 1, "'\\x0d=1,1", "\\x0d=1");
	shows("-", 1, "-,1", "-");
	shows("-1.5e-3", 1, "-1.5e-3,1", "-1.5e-3");
	shows("-inf", 1, "'-inf,1", "-inf");
	shows("a=b", 1, "a=b,1", "a=b");
}
END_TEST

START_TEST(names_hold_nothing_that_terminals_obey)
{
	shows("\033[31m\177", 1, "\\x1b[31m\\x7f,1", "\\x1b[31m\\x7f");
	shows("\xc2\x9b" "1m\xc2\xa0", 1, "\\u009b1m\xc2\xa0,1", "\\u009b1m\xc2\xa0");
	shows("a\xe2\x80\xae" "b", 1, "a\\u202eb,1", "a\\u202eb");
	shows("\xef\xbb\xbf\xef\xbc\xa1", 1, "\\ufeff\xef\xbc\xa1,1", "\\ufeff\xef\xbc\xa1");
	shows("\xf3\xa0\x80\x81\xc3\xbc", 1, "\\U000e0001\xc3\xbc,1", "\\U000e0001\xc3\xbc");
	shows("\x9b" "31m", 1, "\\x9b31m,1", "\\x9b31m");
	shows("c:\\x1b", 1, "c:\\\\x1b,1", "c:\\\\x1b");
	shows("a\nb\"", 1, "\"a\\x0ab\"\"\",1", "a\\x0ab\"");
}
END_TEST

START_TEST(json_has_the_characters_and_no_controls)
{
	static const struct column one[] = { { "k", NULL, CELL_TEXT }, { "r", NULL, CELL_RAW } };
	struct table table;
	table_init(&table, one, 2);
	table_text(&table, "\033\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\x81\177\\");
	table_text(&table, "{\"\xe2\x80\xae\\\\\":\"\xff\"}");
	char *text = printed(&table, FORMAT_JSON);
	ck_assert_str_eq(text, "[{\"k\": \"\\u001b\\u009b\\u202e\\udb40\\udc01\\u007f\\\\\", "
			 "\"r\": {\"\\u202e\\\\\":\"\\ufffd\"}}]\n");
	free(text);
	table_release(&table);
}
END_TEST

START_TEST(text_is_aligned_by_characters)
{
	static const struct column two[] = { { "a", "a", CELL_TEXT }, { "b", "b", CELL_INTEGER } };
	struct table table;
	table_init(&table, two, 2);
	table_text(&table, "\xc3\xbc");
	table_integer(&table, 5);
	table_text(&table, "xyz");
	table_integer(&table, 123);
	char *text = printed(&table, FORMAT_TEXT);
	ck_assert_str_eq(text, "a      b\n\xc3\xbc      5\nxyz  123\n");
	free(text);
	table_release(&table);
}
END_TEST

/* A wide character, and an accent that takes no column. */
START_TEST(characters_have_the_width_of_a_terminal)
{
	ck_assert_uint_eq(text_width("\xe4\xb8\xad.e\xcc\x81"), 4);
	ck_assert_uint_eq(text_width("\xff."), 2);
	ck_assert_str_eq(text_prefix("\xe4\xb8\xad\xe4\xb8\xad", 3), "\xe4\xb8\xad");
	ck_assert_str_eq(text_suffix("ab\xe4\xb8\xad", 3), "b\xe4\xb8\xad");
	ck_assert_str_eq(text_suffix("ab", 3), "ab");
}
END_TEST

START_TEST(shares_are_per_cent_for_people)
{
	static const struct column one[] = { { "part", "part", CELL_SHARE } };
	static const char *const expected[] = {
		"   part\n 12.3 %\n100.0 %\n      -\n", "part\n0.1234\n1\n\n",
		"[{\"part\": 0.1234},\n{\"part\": 1},\n{\"part\": null}]\n"
	};
	struct table table;
	table_init(&table, one, 1);
	table_real(&table, 0.1234);
	table_real(&table, 1);
	table_null(&table);
	for (enum format format = FORMAT_TEXT; format <= FORMAT_JSON; format++) {
		char *text = printed(&table, format);
		ck_assert_str_eq(text, expected[format]);
		free(text);
	}
	table_release(&table);
}
END_TEST

START_TEST(an_empty_table_is_an_empty_array)
{
	struct table table;
	table_init(&table, columns, 5);
	char *text = printed(&table, FORMAT_JSON);
	ck_assert_str_eq(text, "[]\n");
	free(text);
	table_release(&table);
}
END_TEST

START_TEST(seconds_have_all_nine_digits)
{
	char text[32];
	ck_assert_str_eq(seconds_text(text, 0), "0.000000000");
	ck_assert_str_eq(seconds_text(text, -1), "-0.000000001");
	ck_assert_str_eq(seconds_text(text, INT64_MIN), "-9223372036.854775808");
}
END_TEST

UNIT_MAIN("table", json_is_exact_and_valid, ratios_have_one_form, csv_quotes_what_must_be,
	  no_formula_gets_into_a_spreadsheet, names_hold_nothing_that_terminals_obey,
	  json_has_the_characters_and_no_controls, shares_are_per_cent_for_people,
	  text_is_aligned_by_characters, characters_have_the_width_of_a_terminal,
	  an_empty_table_is_an_empty_array, seconds_have_all_nine_digits)
