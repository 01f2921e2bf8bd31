/* SPDX-License-Identifier: BSD-3-Clause */
/* control_parse.c - reads rules (control_rules.h has the grammar). It has no state; any thread may
 * call it.
 *
 * The parser is a recursive descent: it has a function for each line of the grammar, and looks one
 * word ahead. A condition becomes a list of steps in reverse Polish order. After an error, the
 * parser skips words until, on a later line, a word can begin a statement. */
#include "control_rules.h"
#include "text_cursor.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ERRORS = 10, SHOWN = 60, MESSAGE = 256, LONGEST_NUMBER = 40 };

struct reader {
	struct sis_control_rules *rules;
	const struct sis_control_user *user;
	struct sis_text_cursor text; /* the text after the word */
	/* The current word. `quoted`: the word is a pattern in quotes; the quotes are not part of
	 * the word. If the length is 0 and the word is not quoted, the text ends. */
	const char *word;
	size_t length;
	bool quoted;
	uint32_t word_line, word_column;
	uint32_t depth;          /* number of open parentheses and `not` */
	bool failed;             /* this statement has an error */
	int errors;
};

static __attribute__((format(printf, 2, 3))) void report(struct reader *r, const char *format, ...)
{
	char text[MESSAGE];
	va_list arguments;
	if (r->failed)
		return;
	r->failed = true;
	if (r->errors++ >= MOST_ERRORS)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	r->user->error(r->user->context, r->word_line, r->word_column, text);
}

/* -- reading words ----------------------------------------------------------------------------- */

static void take_quoted(struct reader *r)
{
	sis_text_step(&r->text);
	r->word = r->text.at;
	while (r->text.at < r->text.end && *r->text.at != '"' && *r->text.at != '\n')
		sis_text_step(&r->text);
	r->length = (size_t)(r->text.at - r->word);
	r->quoted = true;
	if (r->text.at < r->text.end && *r->text.at == '"')
		sis_text_step(&r->text);
	else
		report(r, "the quote is not closed; write another \" after the pattern");
}

static void next(struct reader *r)
{
	sis_text_skip_blanks(&r->text);
	r->word = r->text.at;
	r->quoted = false;
	r->word_line = r->text.next.line;
	r->word_column = r->text.next.column;
	if (r->text.at < r->text.end && *r->text.at == '"') {
		take_quoted(r);
		return;
	}
	if (r->text.at < r->text.end && strchr("(),<>", *r->text.at)) {
		sis_text_step(&r->text);
		if (r->text.at < r->text.end && *r->text.at == '=' && strchr("<>", r->text.at[-1]))
			sis_text_step(&r->text);
	} else
		while (r->text.at < r->text.end && !isspace((unsigned char)*r->text.at) &&
		       !strchr("(),#\"<>", *r->text.at))
			sis_text_step(&r->text);
	r->length = (size_t)(r->text.at - r->word);
}

static bool is(const struct reader *r, const char *word)
{
	return !r->quoted && strlen(word) == r->length && memcmp(word, r->word, r->length) == 0;
}

static bool at_end(const struct reader *r)
{
	return r->length == 0 && !r->quoted;
}

static bool accept(struct reader *r, const char *word)
{
	if (r->failed || !is(r, word))
		return false;
	next(r);
	return true;
}

static void report_expected(struct reader *r, const char *what)
{
	char word[SHOWN + 3] = "the end";
	if (!at_end(r))
		snprintf(word, sizeof word, "'%.*s'", (int)(r->length < SHOWN ? r->length : SHOWN),
			 r->word);
	report(r, "%s stands where %s is expected", word, what);
}

/* -- adding elements and patterns -------------------------------------------------------------- */

/* Returns the index of a new element. If there is no room, reports an error and returns 0. */
static uint32_t add_element(struct reader *r, uint32_t *used, uint32_t room, const char *what)
{
	if (*used < room)
		return (*used)++;
	report(r, "a file can have %u %s; use wildcards in place of many names", room, what);
	return 0;
}

static void emit(struct reader *r, char op, uint32_t subject, double number)
{
	struct sis_control_rules *rules = r->rules;
	uint32_t k = add_element(r, &rules->steps, SIS_CONTROL_STEPS, "operations");
	rules->step[k] = (struct sis_control_step){ op, subject, number };
}

static uint32_t find_text(const struct sis_control_rules *rules, const char *word, size_t length)
{
	for (uint32_t i = 0; i < rules->used; i += (uint32_t)strlen(rules->text + i) + 1)
		if (strlen(rules->text + i) == length && !memcmp(rules->text + i, word, length))
			return i;
	return UINT32_MAX;
}

/* Takes the word as a pattern. Returns the pattern's offset in rules->text. */
static uint32_t take_pattern(struct reader *r)
{
	struct sis_control_rules *rules = r->rules;
	if (!r->quoted && (at_end(r) || strchr("(),<>", *r->word))) {
		report_expected(r, "the name of a region or a pattern");
		return 0;
	}
	if (r->length == 0 || memchr(r->word, '\0', r->length)) {
		report(r, "the pattern is empty or has a NUL; write the name of a region");
		return 0;
	}
	uint32_t at = find_text(rules, r->word, r->length);
	if (at == UINT32_MAX && r->length >= SIS_CONTROL_TEXT - rules->used) {
		report(r, "patterns have more than %d bytes together; use wildcards",
		       SIS_CONTROL_TEXT);
		return 0;
	}
	if (at == UINT32_MAX) {
		at = rules->used;
		memcpy(rules->text + at, r->word, r->length);
		rules->text[at + r->length] = '\0';
		rules->used += (uint32_t)r->length + 1;
	}
	next(r);
	return at;
}

/* -- parsing conditions ------------------------------------------------------------------------ */

static const char *const measure_names[SIS_CONTROL_MEASURES] = {
	[SIS_CONTROL_TIME] = "time",   [SIS_CONTROL_CALLS] = "calls",
	[SIS_CONTROL_SHARE] = "share", [SIS_CONTROL_USUAL] = "usual",
	[SIS_CONTROL_SPREAD] = "spread", [SIS_CONTROL_VALUE] = "value",
};

/* Reads a number with or without a unit. A time is returned in seconds. False: the word is no
 * number. */
static bool read_number(const struct reader *r, double *number, bool *is_time)
{
	static const struct { const char *name; double factor; bool time; } unit[] = {
		{ "", 1, false },   { "us", 1e-6, true }, { "ms", 1e-3, true },
		{ "s", 1, true },   { "%", 0.01, false },
	};
	char text[LONGEST_NUMBER], *end;
	if (r->quoted || r->length == 0 || r->length >= sizeof text ||
	    !(isdigit((unsigned char)*r->word) || *r->word == '.'))
		return false;
	memcpy(text, r->word, r->length);
	text[r->length] = '\0';
	*number = strtod(text, &end);
	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
		if (strcmp(end, unit[i].name) == 0 && isfinite(*number)) {
			*number *= unit[i].factor;
			*is_time = unit[i].time;
			return true;
		}
	return false;
}

static uint32_t subject_of(struct reader *r, enum sis_control_measure measure, uint32_t pattern)
{
	struct sis_control_rules *rules = r->rules;
	for (uint32_t i = 0; i < rules->subjects; i++)
		if (rules->subject[i].measure == measure && rules->subject[i].pattern == pattern)
			return i;
	uint32_t k = add_element(r, &rules->subjects, SIS_CONTROL_SUBJECTS, "measures");
	rules->subject[k] = (struct sis_control_subject){ measure, pattern };
	return k;
}

static void take_measure(struct reader *r, enum sis_control_measure measure)
{
	next(r);
	if (!accept(r, "("))
		report_expected(r, "( and the name of a region");
	uint32_t pattern = r->failed ? 0 : take_pattern(r);
	if (!accept(r, ")"))
		report_expected(r, ")");
	if (!r->failed)
		emit(r, 'm', subject_of(r, measure, pattern), 0);
}

static bool enter(struct reader *r)
{
	if (++r->depth <= SIS_CONTROL_DEEPEST)
		return true;
	report(r, "the condition is nested more than %d deep; make it two rules",
	       SIS_CONTROL_DEEPEST);
	return false;
}

/* Both a condition and a sum may begin with a parenthesis. So the functions below take both, and
 * return which of them they found. */
enum kind { FAILED, NUMERIC, LOGICAL };
static enum kind take_condition(struct reader *r);
static enum kind take_comparison(struct reader *r);

static enum kind take_value(struct reader *r)
{
	double number;
	bool is_time;
	for (int m = 0; m < SIS_CONTROL_MEASURES; m++)
		if (is(r, measure_names[m])) {
			take_measure(r, (enum sis_control_measure)m);
			return r->failed ? FAILED : NUMERIC;
		}
	if (read_number(r, &number, &is_time)) {
		next(r);
		emit(r, 'n', 0, number);
		return NUMERIC;
	}
	if (!accept(r, "(")) {
		report_expected(r, "a number, or a measure such as time(NAME)");
		return FAILED;
	}
	enum kind kind = enter(r) ? take_condition(r) : FAILED;
	r->depth--;
	if (!accept(r, ")"))
		report_expected(r, ")");
	return r->failed ? FAILED : kind;
}

static bool check_kind(struct reader *r, enum kind kind, enum kind wanted)
{
	if (!r->failed && kind != wanted)
		report(r, wanted == NUMERIC ?
			       "a comparison stands before this where a number is expected" :
			       "a number stands before this where a comparison is expected; write "
			       "for example time(solve) > 2ms");
	return !r->failed;
}

/* Takes a chain of operands with operators of one precedence. */
static enum kind take_chain(struct reader *r, enum kind (*operand)(struct reader *),
			    const char *const words[2], const char ops[2], enum kind wanted)
{
	enum kind kind = operand(r);
	for (;;) {
		int i = is(r, words[0]) ? 0 : words[1] && is(r, words[1]) ? 1 : -1;
		if (r->failed || i < 0)
			return r->failed ? FAILED : kind;
		if (!check_kind(r, kind, wanted))
			return FAILED;
		next(r);
		kind = operand(r);
		if (check_kind(r, kind, wanted))
			emit(r, ops[i], 0, 0);
	}
}

static enum kind take_product(struct reader *r)
{
	return take_chain(r, take_value, (const char *const[]){ "*", "/" }, "*/", NUMERIC);
}

static enum kind take_sum(struct reader *r)
{
	return take_chain(r, take_product, (const char *const[]){ "+", "-" }, "+-", NUMERIC);
}

static enum kind take_comparison(struct reader *r)
{
	static const struct { const char *word; char op; } compare[] = {
		{ "<", '<' }, { "<=", 'l' }, { ">", '>' }, { ">=", 'g' },
	};
	if (accept(r, "not")) {
		enum kind kind = enter(r) ? take_comparison(r) : FAILED;
		r->depth--;
		if (check_kind(r, kind, LOGICAL))
			emit(r, '!', 0, 0);
		return r->failed ? FAILED : LOGICAL;
	}
	enum kind kind = take_sum(r);
	for (size_t i = 0; i < sizeof compare / sizeof *compare; i++)
		if (!r->failed && is(r, compare[i].word)) {
			if (!check_kind(r, kind, NUMERIC))
				return FAILED;
			next(r);
			if (check_kind(r, take_sum(r), NUMERIC))
				emit(r, compare[i].op, 0, 0);
			return r->failed ? FAILED : LOGICAL;
		}
	return kind;
}

static enum kind take_all(struct reader *r)
{
	return take_chain(r, take_comparison, (const char *const[]){ "and", NULL }, "&", LOGICAL);
}

static enum kind take_condition(struct reader *r)
{
	return take_chain(r, take_all, (const char *const[]){ "or", NULL }, "|", LOGICAL);
}

/* -- parsing statements ------------------------------------------------------------------------ */

static uint64_t take_time(struct reader *r, const char *example)
{
	double seconds;
	bool is_time;
	if (!read_number(r, &seconds, &is_time) || !is_time || seconds <= 0 || seconds > 86400) {
		char expected[MESSAGE / 2];
		snprintf(expected, sizeof expected, "a time of at most a day, such as %s,",
			 example);
		report_expected(r, expected);
		return 0;
	}
	next(r);
	return (uint64_t)(seconds * 1e9);
}

static void take_action(struct reader *r)
{
	struct sis_control_action action = { .act = SIS_CONTROL_ON };
	if (accept(r, "trace"))
		action.act = is(r, "on") ? SIS_CONTROL_TRACE_ON : SIS_CONTROL_TRACE_OFF;
	else if (accept(r, "counters"))
		action.act = is(r, "on") ? SIS_CONTROL_COUNTERS_ON : SIS_CONTROL_COUNTERS_OFF;
	else
		action.act = is(r, "on") ? SIS_CONTROL_ON : SIS_CONTROL_OFF;
	if (!accept(r, "on") && !accept(r, "off"))
		report_expected(r, "on or off");
	if (action.act != SIS_CONTROL_TRACE_ON && action.act != SIS_CONTROL_TRACE_OFF) {
		action.below = accept(r, "below");
		action.pattern = r->failed ? 0 : take_pattern(r);
	}
	if (!r->failed) {
		uint32_t k = add_element(r, &r->rules->actions, SIS_CONTROL_ACTIONS, "actions");
		r->rules->action[k] = action;
	}
}

/* Takes actions. Returns their number. */
static uint32_t take_actions(struct reader *r)
{
	uint32_t before = r->rules->actions;
	do
		take_action(r);
	while (accept(r, ","));
	return r->rules->actions - before;
}

static void take_when(struct reader *r, struct sis_control_rule *rule)
{
	rule->step = r->rules->steps;
	check_kind(r, take_condition(r), LOGICAL);
	rule->steps = r->rules->steps - rule->step;
	if (accept(r, "for"))
		rule->hold_ns = take_time(r, "500ms");
	if (!accept(r, "then"))
		report_expected(r, "`then` and what to do");
	rule->then = r->rules->actions;
	rule->thens = r->failed ? 0 : take_actions(r);
	rule->other = r->rules->actions;
	if (accept(r, "else"))
		rule->others = take_actions(r);
}

static bool begins_statement(const struct reader *r)
{
	return is(r, "when") || is(r, "on") || is(r, "off") || is(r, "trace") ||
		is(r, "counters") || is(r, "period");
}

static void take_statement(struct reader *r)
{
	struct sis_control_rule rule = { .line = r->word_line, .then = r->rules->actions };
	if (!begins_statement(r)) {
		report_expected(r, "when, on, off, trace, counters or period");
		return;
	}
	if (accept(r, "period")) {
		r->rules->period_ns = take_time(r, "200ms");
		return;
	}
	if (accept(r, "when"))
		take_when(r, &rule);
	else
		rule.thens = take_actions(r);
	if (!r->failed) {
		uint32_t k = add_element(r, &r->rules->rules, SIS_CONTROL_RULES, "rules");
		r->rules->rule[k] = rule;
	}
}

int sis_control_parse(struct sis_control_rules *rules, const char *text, size_t length,
		      const struct sis_control_user *user)
{
	enum { PERIOD_NS = 200000000 };
	struct reader r = { .rules = rules, .user = user,
			    .text = sis_text_begin(text, length) };
	rules->period_ns = PERIOD_NS;
	rules->rules = rules->steps = rules->subjects = rules->actions = rules->used = 0;
	if (length > SIS_CONTROL_LARGEST || memchr(text, '\0', length)) {
		user->error(user->context, 0, 0, length > SIS_CONTROL_LARGEST ?
			    "it is larger than 1 MiB; rules are text of a few lines" :
			    "it has a NUL byte; rules are text");
		return 1;
	}
	for (next(&r); !at_end(&r) || r.failed;) {
		if (!r.failed)
			take_statement(&r);
		if (!r.failed)
			continue;
		/* after an error: skip to the first word on a later line that can begin a
		 * statement */
		uint32_t line = r.word_line;
		r.failed = false;
		r.depth = 0;
		while (!at_end(&r) && !(r.word_line > line && begins_statement(&r))) {
			next(&r);
			r.failed = false; /* next may have found a quote that is not closed */
		}
	}
	return r.errors;
}
