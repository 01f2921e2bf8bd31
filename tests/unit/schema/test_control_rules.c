/* SPDX-License-Identifier: BSD-3-Clause */
/* test_control_rules.c - rules that steer a measurement: the grammar, places of errors, and what a
 * condition is worth. */
// link: schema/control_parse.c schema/control_value.c
#include "control_rules.h"
#include "unit.h"

#include <math.h>

static struct sis_control_rules rules;
static char first[400]; /* the first error, with its position */

static void take_error(void *context, uint32_t line, uint32_t column, const char *message)
{
	(void)context;
	if (!*first)
		snprintf(first, sizeof first, "%u:%u: %s", line, column, message);
}

static int parse_bytes(const char *text, size_t length)
{
	static const struct sis_control_user user = { NULL, take_error };
	first[0] = '\0';
	return sis_control_parse(&rules, text, length, &user);
}

static int parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static const char *pattern_of(uint32_t action)
{
	return rules.text + rules.action[action].pattern;
}

START_TEST(statements)
{
	ck_assert_int_eq(parse("# comment\nperiod 50ms  # another\n"
			       "off util_*, on \"omp parallel@26\"\ntrace off\n"
			       "when time(solve) > usual(solve) for 2s\n"
			       "  then on below solve, trace on, counters on solve\n"
			       "  else off below solve\n"),
			 0);
	ck_assert_uint_eq(rules.period_ns, 50000000);
	ck_assert_uint_eq(rules.rules, 3);
	ck_assert_uint_eq(rules.rule[0].thens, 2);
	ck_assert_str_eq(pattern_of(0), "util_*");
	ck_assert_int_eq(rules.action[0].act, SIS_CONTROL_OFF);
	ck_assert_str_eq(pattern_of(1), "omp parallel@26");
	ck_assert_int_eq(rules.action[1].act, SIS_CONTROL_ON);
	ck_assert_int_eq(rules.action[2].act, SIS_CONTROL_TRACE_OFF);

	const struct sis_control_rule *when = &rules.rule[2];
	ck_assert_uint_eq(when->line, 5);
	ck_assert_uint_eq(when->hold_ns, 2000000000);
	ck_assert_uint_eq(when->thens, 3);
	ck_assert_uint_eq(when->others, 1);
	ck_assert(rules.action[when->then].below);
	ck_assert_int_eq(rules.action[when->then + 1].act, SIS_CONTROL_TRACE_ON);
	ck_assert_int_eq(rules.action[when->then + 2].act, SIS_CONTROL_COUNTERS_ON);
	ck_assert(rules.action[when->other].below);
	ck_assert_int_eq(rules.action[when->other].act, SIS_CONTROL_OFF);
	ck_assert_uint_eq(rules.subjects, 2);
	ck_assert_uint_eq(rules.subject[0].pattern, rules.subject[1].pattern);
}
END_TEST

START_TEST(nothing)
{
	ck_assert_int_eq(parse(""), 0);
	ck_assert_uint_eq(rules.rules, 0);
	ck_assert_int_eq(parse(" # only a comment"), 0);
	ck_assert_uint_gt(rules.period_ns, 0);
}
END_TEST

/* Subjects are numbered in the order in which they occur. */
static const struct { const char *condition; double value[3]; enum sis_control_answer answer; }
conditions[] = {
	{ "time(a) > 2ms", { 0.003 }, SIS_CONTROL_YES },
	{ "time(a) > 2ms", { 0.002 }, SIS_CONTROL_NO },
	{ "time(a) >= 2ms", { 0.002 }, SIS_CONTROL_YES },
	{ "time(a) <= 2000us", { 0.002 }, SIS_CONTROL_YES },
	{ "share(a) < 5%", { 0.04 }, SIS_CONTROL_YES },
	{ "time(a) > 2ms", { NAN }, SIS_CONTROL_UNKNOWN },
	{ "not time(a) > 2ms", { NAN }, SIS_CONTROL_UNKNOWN },
	{ "not calls(a) > 2", { 1 }, SIS_CONTROL_YES },
	{ "calls(a) > 1 + 2 * 3", { 7.5 }, SIS_CONTROL_YES },
	{ "calls(a) > 1 + 2 * 3", { 6.5 }, SIS_CONTROL_NO },
	{ "calls(a) > (1 + 2) * 3", { 8 }, SIS_CONTROL_NO },
	{ "10 - 4 - 3 > calls(a)", { 2 }, SIS_CONTROL_YES },
	{ "calls(a) / calls(b) > 2", { 3, 0 }, SIS_CONTROL_UNKNOWN },
	{ "time(a) > usual(a) + 3 * spread(a)", { 5, 1, 1 }, SIS_CONTROL_YES },
	{ "time(a) > usual(a) + 3 * spread(a)", { 3.5, 1, 1 }, SIS_CONTROL_NO },
	{ "calls(a) > 1 or calls(b) > 1 and calls(c) > 1", { 2, 0, 0 }, SIS_CONTROL_YES },
	{ "(calls(a) > 1 or calls(b) > 1) and calls(c) > 1", { 2, 0, 0 }, SIS_CONTROL_NO },
	{ "calls(a) > 1 or calls(b) > 1", { 2, NAN }, SIS_CONTROL_YES },
	{ "calls(a) > 1 or calls(b) > 1", { 0, NAN }, SIS_CONTROL_UNKNOWN },
	{ "calls(a) > 1 and calls(b) > 1", { 0, NAN }, SIS_CONTROL_NO },
	{ "calls(a) > 1 and calls(b) > 1", { 2, NAN }, SIS_CONTROL_UNKNOWN },
	{ "((((calls(a)))) > ((1)))", { 2 }, SIS_CONTROL_YES },
	{ "value(residual) > .5", { 0.75 }, SIS_CONTROL_YES },
};

START_TEST(conditions_have_values)
{
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
		char text[200];
		snprintf(text, sizeof text, "when %s then off a", conditions[i].condition);
		ck_assert_msg(parse(text) == 0, "%s: %s", text, first);
		enum sis_control_answer answer =
			sis_control_holds(&rules, &rules.rule[0], conditions[i].value);
		ck_assert_msg(answer == conditions[i].answer, "%s is %d", text, answer);
	}
}
END_TEST

static const struct { const char *text, *error; } wrong[] = {
	{ "of a", "1:1: 'of' stands where when, on, off, trace, counters or period is expected" },
	{ "on", "1:3: the end stands where the name of a region or a pattern is expected" },
	{ "\n  trace maybe", "2:9: 'maybe' stands where on or off is expected" },
	{ "off \"a b", "1:5: the quote is not closed; write another \" after the pattern" },
	{ "off \"\"", "1:5: the pattern is empty or has a NUL; write the name of a region" },
	{ "when time(a) then off a",
	  "1:14: a number stands before this where a comparison is expected; write for example "
	  "time(solve) > 2ms" },
	{ "when (calls(a) > 1) + 1 > 2 then off a",
	  "1:21: a comparison stands before this where a number is expected" },
	{ "when calls(a) > 1 > 2 then off a",
	  "1:19: '>' stands where `then` and what to do is expected" },
	{ "when calls(a) > 1", "1:18: the end stands where `then` and what to do is expected" },
	{ "when calls a > 1 then off a",
	  "1:12: 'a' stands where ( and the name of a region is expected" },
	{ "when calls(a) > 1parsec then off a",
	  "1:17: '1parsec' stands where a number, or a measure such as time(NAME) is expected" },
	{ "period 3", "1:8: '3' stands where a time of at most a day, such as 200ms, is expected" },
	{ "period 0s",
	  "1:8: '0s' stands where a time of at most a day, such as 200ms, is expected" },
	{ "when calls(a) > 1 for ever then off a",
	  "1:23: 'ever' stands where a time of at most a day, such as 500ms, is expected" },
};

START_TEST(errors_have_positions)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		ck_assert_int_eq(parse(wrong[i].text), 1);
		ck_assert_str_eq(first, wrong[i].error);
	}
}
END_TEST

/* After an error the next statement is read. */
START_TEST(all_errors_are_reported)
{
	ck_assert_int_eq(parse("of a\non b\nwhen x then\noff c\ntrace perhaps\n"), 3);
	ck_assert_uint_eq(rules.rules, 2);
}
END_TEST

START_TEST(limits)
{
	static char text[200000];
	size_t length = 0;
	for (int i = 0; i < SIS_CONTROL_RULES + 1; i++)
		length += (size_t)sprintf(text + length, "off a%d\n", i);
	ck_assert_int_gt(parse(text), 0);
	ck_assert(strstr(first, "a file can have 256 rules"));

	memset(text, '(', sizeof text - 1);
	memcpy(text, "when ", 5);
	ck_assert_int_eq(parse(text), 1);
	ck_assert(strstr(first, "nested more than 32 deep"));

	for (length = 5; length + 4 < sizeof text; length += 4)
		memcpy(text + length, "not ", 4);
	ck_assert_int_eq(parse_bytes(text, length), 1);
	ck_assert(strstr(first, "nested more than 32 deep"));
	ck_assert_int_eq(parse_bytes("on a\0b", 6), 1);
	ck_assert_str_eq(first, "0:0: it has a NUL byte; rules are text");
}
END_TEST

/* The deepest condition that is accepted has room for its operands. */
START_TEST(deepest)
{
	char text[8000] = "when ";
	for (int i = 0; i < SIS_CONTROL_DEEPEST; i++)
		strcat(text, "1 > 2 or 1 < 2 and 1 < 1 + 1 * (");
	strcat(text, "1");
	for (int i = 0; i < SIS_CONTROL_DEEPEST; i++)
		strcat(text, ")");
	strcat(text, " then off a");
	ck_assert_int_eq(parse(text), 1); /* a comparison where a number is expected */
	strcpy(text, "when ");
	for (int i = 0; i < SIS_CONTROL_DEEPEST; i++)
		strcat(text, "1 > 2 or 1 < 2 and (");
	strcat(text, "1 < 1 + 1 * 1");
	for (int i = 0; i < SIS_CONTROL_DEEPEST; i++)
		strcat(text, ")");
	strcat(text, " then off a");
	ck_assert_msg(parse(text) == 0, "%s", first);
	ck_assert_int_eq(sis_control_holds(&rules, &rules.rule[0], NULL), SIS_CONTROL_YES);
}
END_TEST

/* Bytes of rules in any order: no crash, and the rules that come out can be asked. */
START_TEST(garbage)
{
	static const char *const word[] = {
		"when", "(", ")", "time(a)", ">", "<=", "1", "2ms", "and", "or", "not", "then",
		"else", "for", "on", "off", "a*", "below", ",", "trace", "counters", "period",
		"\"x\"", "\n", "#", "\"", "+", "*", "usual(\"b c\")",
	};
	double value[SIS_CONTROL_SUBJECTS] = { 0 };
	unsigned seed = 12345;
	for (int round = 0; round < 20000; round++) {
		char text[400] = "when ";
		for (int i = 0; i < 25; i++) {
			seed = seed * 1103515245 + 12345;
			strcat(text, word[(seed >> 16) % (sizeof word / sizeof *word)]);
			strcat(text, " ");
		}
		if (parse(text) != 0)
			continue;
		for (uint32_t i = 0; i < rules.rules; i++)
			sis_control_holds(&rules, &rules.rule[i], value);
	}
}
END_TEST

UNIT_MAIN("control_rules", statements, nothing, conditions_have_values, errors_have_positions,
	  all_errors_are_reported, limits, deepest, garbage)
