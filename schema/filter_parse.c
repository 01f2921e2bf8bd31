/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_parse.c - reads filter files: Score-P's grammar, with additional blocks of SIS. Any thread
 * may call it.
 *
 *     SIS_REGION_NAMES_BEGIN          # or SIS_FILE_NAMES, SIS_UNIT_NAMES, SIS_REGION_TYPES,
 *       EXCLUDE *                     #    SCOREP_REGION_NAMES, SCOREP_FILE_NAMES
 *       INCLUDE solve* main           # shell wildcards; words up to the next INCLUDE or EXCLUDE
 *               update
 *     SIS_REGION_NAMES_END
 *
 * The idea: the file is read one word at a time, with its position. Each word is a part of a rule,
 * or an error. */
#include "filter_rules.h"
#include "text_cursor.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ERRORS = 10, LONGEST_TYPE = 128, SHOWN = 80, MESSAGE = 512 };

static const struct block { const char *begin, *end; enum sis_filter_subject subject; } blocks[] = {
	{ "SIS_REGION_NAMES_BEGIN", "SIS_REGION_NAMES_END", SIS_FILTER_REGION },
	{ "SIS_REGION_TYPES_BEGIN", "SIS_REGION_TYPES_END", SIS_FILTER_TYPE },
	{ "SIS_FILE_NAMES_BEGIN", "SIS_FILE_NAMES_END", SIS_FILTER_FILE },
	{ "SIS_UNIT_NAMES_BEGIN", "SIS_UNIT_NAMES_END", SIS_FILTER_FUNCTION },
	{ "SCOREP_REGION_NAMES_BEGIN", "SCOREP_REGION_NAMES_END", SIS_FILTER_SCOREP_REGION },
	{ "SCOREP_FILE_NAMES_BEGIN", "SCOREP_FILE_NAMES_END", SIS_FILTER_FILE },
};
#define BLOCKS \
	"SIS_REGION_NAMES_BEGIN, SIS_REGION_TYPES_BEGIN, SIS_FILE_NAMES_BEGIN, " \
	"SIS_UNIT_NAMES_BEGIN, " \
	"SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN"

enum verb { NO_VERB, INCLUDE, EXCLUDE };

struct reader {
	const struct sis_filter_user *user;
	struct sis_text_cursor text; /* the text after the word */
	struct sis_text_place where; /* position of the word */
	const char *word;       /* the current word: `length` bytes, without a NUL */
	size_t length;
	const struct block *block; /* the open block; NULL: none */
	struct sis_text_place opened;
	enum verb verb;
	struct sis_text_place verb_where;
	bool verb_used;
	int errors;
};

static __attribute__((format(printf, 3, 4))) void
report_error(struct reader *r, struct sis_text_place where, const char *format, ...)
{
	char text[MESSAGE];
	va_list arguments;
	if (r->errors++ >= MOST_ERRORS)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	r->user->message(r->user->context, true, where.line, where.column, text);
}

/* -- reading words ----------------------------------------------------------------------------- */

/* Reads the next word. A backslash stays in the word, for fnmatch. A blank or # after it is a part
 * of the word. */
static bool next_word(struct reader *r)
{
	sis_text_skip_blanks(&r->text);
	r->word = r->text.at;
	r->where = r->text.next;
	while (r->text.at < r->text.end && !isspace((unsigned char)*r->text.at) &&
	       *r->text.at != '#') {
		if (*r->text.at == '\\' && r->text.at + 1 < r->text.end && r->text.at[1] != '\n')
			sis_text_step(&r->text);
		sis_text_step(&r->text);
	}
	r->length = (size_t)(r->text.at - r->word);
	return r->length > 0;
}

static bool is_word(const struct reader *r, const char *word)
{
	return strlen(word) == r->length && memcmp(word, r->word, r->length) == 0;
}

/* The number of bytes of the word that messages show. */
static int shown(const struct reader *r)
{
	return (int)(r->length < SHOWN ? r->length : SHOWN);
}

/* -- rules in a block -------------------------------------------------------------------------- */

/* Sets the rule's types: the types that match the word, and all members of the groups that match.
 * False: no type matches. */
static bool name_types(const struct reader *r, struct sis_filter_rule *rule)
{
	char pattern[LONGEST_TYPE];
	bool any = false;
	if (r->length >= sizeof pattern)
		return false;
	memcpy(pattern, r->word, r->length);
	pattern[r->length] = '\0';
	for (size_t group = 1; group < SIS_REGION_TYPES; group++) {
		const char *name = sis_region_table[group].name;
		if (strncmp(name, "CR_", 3) != 0 || fnmatch(pattern, name, FNM_CASEFOLD) != 0)
			continue;
		for (size_t type = 1; type < SIS_REGION_TYPES; type++)
			rule->type[type] |= sis_region_in(type, group);
		any = true;
	}
	return any;
}

static void take_pattern(struct reader *r)
{
	if (r->verb == NO_VERB) {
		report_error(r, r->where,
			     "'%.*s' follows neither INCLUDE nor EXCLUDE; write one of them before "
			     "it",
			     shown(r), r->word);
		return;
	}
	struct sis_filter_rule rule = { .subject = r->block->subject,
					.include = r->verb == INCLUDE,
					.line = r->where.line };
	r->verb_used = true;
	if (r->block->subject == SIS_FILTER_TYPE && !name_types(r, &rule)) {
		const char *near = sis_region_suggest(r->word, r->length);
		if (near)
			report_error(r, r->where, "unknown code region '%.*s'; did you mean '%s'?",
				     shown(r), r->word, near);
		else
			report_error(r, r->where,
				     "unknown code region '%.*s'; sisc --sis-list shows them all",
				     shown(r), r->word);
	}
	r->user->rule(r->user->context, &rule, r->word, r->length);
}

static void end_verb(struct reader *r)
{
	if (r->verb != NO_VERB && !r->verb_used)
		report_error(r, r->verb_where,
			     "no pattern after %s; write at least one, or remove it",
			     r->verb == INCLUDE ? "INCLUDE" : "EXCLUDE");
	r->verb = NO_VERB;
}

static void take_verb(struct reader *r, enum verb verb)
{
	end_verb(r);
	r->verb = verb;
	r->verb_where = r->where;
	r->verb_used = false;
}

/* -- begin and end of blocks ------------------------------------------------------------------- */

static const struct block *find_block(const struct reader *r, bool *begins)
{
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		*begins = is_word(r, blocks[i].begin);
		if (*begins || is_word(r, blocks[i].end))
			return &blocks[i];
	}
	return NULL;
}

static void report_unclosed(struct reader *r)
{
	report_error(r, r->opened, "%s is not closed; write %s after its rules", r->block->begin,
		     r->block->end);
}

static void take_block(struct reader *r, const struct block *block, bool begins)
{
	end_verb(r);
	if (begins && r->block)
		report_unclosed(r);
	else if (!begins && r->block != block)
		report_error(r, r->where, "%.*s closes nothing; %s%s", shown(r), r->word,
			     r->block ? "what is open ends with " :
					"remove it, or write before its rules ",
			     r->block ? r->block->end : block->begin);
	r->block = begins ? block : NULL;
	r->opened = r->where;
}

static void take_word(struct reader *r)
{
	bool begins;
	const struct block *block = find_block(r, &begins);
	if (block)
		take_block(r, block, begins);
	else if (!r->block)
		report_error(r, r->where,
			     "'%.*s' is outside of a block; rules stand after " BLOCKS, shown(r),
			     r->word);
	else if (is_word(r, "INCLUDE"))
		take_verb(r, INCLUDE);
	else if (is_word(r, "EXCLUDE"))
		take_verb(r, EXCLUDE);
	else if (!is_word(r, "MANGLED")) /* patterns are compared with both kinds of names */
		take_pattern(r);
}

/* -- reading a whole file ---------------------------------------------------------------------- */

static bool is_text(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (iscntrl((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
			return false;
	return true;
}

int sis_filter_parse(const char *text, size_t length, const struct sis_filter_user *user)
{
	struct reader r = { .user = user, .text = sis_text_begin(text, length) };
	if (!is_text(text, length)) {
		user->message(user->context, true, 0, 0,
			      "it is not text; a filter file has lines like INCLUDE main");
		return 1;
	}
	while (r.errors < MOST_ERRORS && next_word(&r))
		take_word(&r);
	end_verb(&r);
	if (r.block)
		report_unclosed(&r);
	if (r.errors >= MOST_ERRORS)
		user->message(user->context, true, r.text.next.line, r.text.next.column,
			      "too many errors; is this a filter file?");
	return r.errors;
}
