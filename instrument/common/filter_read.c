/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_read.c - reads filter files: Score-P's grammar, with additional blocks of SIS. Called by
 * select.c in libsis-instrument, and by sisc's options_check.c.
 *
 *     SIS_REGION_NAMES_BEGIN          # or SIS_FILE_NAMES, SIS_UNIT_NAMES, SIS_REGION_TYPES,
 *       EXCLUDE *                     #    SCOREP_REGION_NAMES, SCOREP_FILE_NAMES
 *       INCLUDE solve* main           # shell wildcards; words up to the next INCLUDE or EXCLUDE
 *               update
 *     SIS_REGION_NAMES_END
 *
 * The idea: the file is read one word at a time, with its position. Each word is a part of a rule,
 * or an error. */
#include "common/filter.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 16 << 20, MOST_ERRORS = 10 };

static const struct block { const char *begin, *end; enum filter_subject subject; } blocks[] = {
	{ "SIS_REGION_NAMES_BEGIN", "SIS_REGION_NAMES_END", FILTER_REGION },
	{ "SIS_REGION_TYPES_BEGIN", "SIS_REGION_TYPES_END", FILTER_TYPE },
	{ "SIS_FILE_NAMES_BEGIN", "SIS_FILE_NAMES_END", FILTER_FILE },
	{ "SIS_UNIT_NAMES_BEGIN", "SIS_UNIT_NAMES_END", FILTER_FUNCTION },
	{ "SCOREP_REGION_NAMES_BEGIN", "SCOREP_REGION_NAMES_END", FILTER_SCOREP_REGION },
	{ "SCOREP_FILE_NAMES_BEGIN", "SCOREP_FILE_NAMES_END", FILTER_FILE },
};
#define BLOCKS \
	"SIS_REGION_NAMES_BEGIN, SIS_REGION_TYPES_BEGIN, SIS_FILE_NAMES_BEGIN, " \
	"SIS_UNIT_NAMES_BEGIN, " \
	       "SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN"

enum verb { NO_VERB, INCLUDE, EXCLUDE };

struct reader {
	struct filter *filter;
	const struct reporter *reporter;
	const char *origin;            /* the file's name, in filter->origins */
	const char *at, *end;          /* the rest of the text */
	struct sis_ast_position next;  /* of `at` */
	struct sis_ast_position where; /* of the word */
	char *word;
	const struct block *block;     /* NULL: outside */
	struct sis_ast_position opened;
	enum verb verb;
	struct sis_ast_position verb_where;
	bool verb_used;
	int errors;
};

static void report_error(struct reader *r, const struct sis_ast_position *where, char *message)
{
	if (r->errors++ < MOST_ERRORS)
		sis_report_to(r->reporter, SIS_AST_ERROR, where, "%s", message);
	free(message);
}

/* -- words ------------------------------------------------------------------------------------- */

static void step(struct reader *r)
{
	if (*r->at++ == '\n') {
		r->next.line++;
		r->next.column = 0;
	}
	r->next.column++;
}

static void skip_blanks(struct reader *r)
{
	bool comment = false;
	for (; r->at < r->end && (comment || isspace((unsigned char)*r->at) || *r->at == '#');
	     step(r))
		comment = *r->at == '#' || (comment && *r->at != '\n');
}

/* A backslash keeps its meaning for fnmatch, and keeps a blank or # in the word. */
static bool next_word(struct reader *r)
{
	free(r->word);
	r->word = NULL;
	skip_blanks(r);
	const char *start = r->at;
	r->where = r->next;
	while (r->at < r->end && !isspace((unsigned char)*r->at) && *r->at != '#') {
		if (*r->at == '\\' && r->at + 1 < r->end && r->at[1] != '\n')
			step(r);
		step(r);
	}
	if (r->at == start)
		return false;
	r->word = sis_format("%.*s", (int)(r->at - start), start);
	return true;
}

/* -- rules ------------------------------------------------------------------------------------- */

static struct filter_rule *add_rule(struct filter *filter, enum filter_subject subject,
				    bool include, const char *pattern)
{
	size_t count = filter->count[subject];
	if ((count & (count + 1)) == 0) /* room doubles at 0, 1, 3, 7, ... */
		filter->rule[subject] = sis_realloc(filter->rule[subject], 2 * count + 1,
						    sizeof **filter->rule);
	struct filter_rule *rule = &filter->rule[subject][filter->count[subject]++];
	*rule = (struct filter_rule){ .include = include, .pattern = sis_format("%s", pattern) };
	return rule;
}

/* Sets the types that match the rule's pattern, groups with their members. False: none does. */
static bool name_types(struct filter_rule *rule)
{
	bool any = false;
	for (size_t group = 1; group < SIS_REGION_TYPES; group++) {
		const char *name = sis_region_table[group].name;
		if (!sis_starts(name, "CR_") || fnmatch(rule->pattern, name, FNM_CASEFOLD) != 0)
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
		report_error(
			r, &r->where,
			sis_format(
				"'%.80s' follows neither INCLUDE nor EXCLUDE; write one of them "
				"before it",
				r->word));
		return;
	}
	struct filter_rule *rule = add_rule(r->filter, r->block->subject, r->verb == INCLUDE,
					    r->word);
	rule->origin = r->origin;
	rule->line = r->where.line;
	r->verb_used = true;
	if (r->block->subject == FILTER_TYPE && !name_types(rule)) {
		const char *near = sis_region_suggest(r->word, strlen(r->word));
		report_error(
			r, &r->where,
			near ? sis_format("unknown code region '%.80s'; did you mean '%s'?",
					  r->word, near) :
			       sis_format(
				       "unknown code region '%.80s'; sisc --sis-list shows them "
				       "all",
				       r->word));
	}
}

static void end_verb(struct reader *r)
{
	if (r->verb != NO_VERB && !r->verb_used)
		report_error(r, &r->verb_where,
			 sis_format("no pattern after %s; write at least one, or remove it",
				    r->verb == INCLUDE ? "INCLUDE" : "EXCLUDE"));
	r->verb = NO_VERB;
}

static void take_verb(struct reader *r, enum verb verb)
{
	end_verb(r);
	r->verb = verb;
	r->verb_where = r->where;
	r->verb_used = false;
}

/* -- blocks ------------------------------------------------------------------------------------ */

static const struct block *find_block(const char *word, bool *begins)
{
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		*begins = strcmp(word, blocks[i].begin) == 0;
		if (*begins || strcmp(word, blocks[i].end) == 0)
			return &blocks[i];
	}
	return NULL;
}

static void report_unclosed(struct reader *r)
{
	report_error(r, &r->opened,
		 sis_format("%s is not closed; write %s after its rules", r->block->begin,
			    r->block->end));
}

static void take_block(struct reader *r, const struct block *block, bool begins)
{
	end_verb(r);
	if (begins && r->block)
		report_unclosed(r);
	else if (!begins && r->block != block)
		report_error(r, &r->where,
			 sis_format("%s closes nothing; %s%s", r->word,
				    r->block ? "what is open ends with " :
					       "remove it, or write before its rules ",
				    r->block ? r->block->end : block->begin));
	r->block = begins ? block : NULL;
	r->opened = r->where;
}

static void take_word(struct reader *r)
{
	bool begins;
	const struct block *block = find_block(r->word, &begins);
	if (block)
		take_block(r, block, begins);
	else if (!r->block)
		report_error(r, &r->where,
			 sis_format("'%.80s' is outside of a block; rules stand after " BLOCKS,
				    r->word));
	else if (strcmp(r->word, "INCLUDE") == 0)
		take_verb(r, INCLUDE);
	else if (strcmp(r->word, "EXCLUDE") == 0)
		take_verb(r, EXCLUDE);
	else if (strcmp(r->word, "MANGLED") == 0)
		sis_report_to(
			r->reporter, SIS_AST_WARNING, &r->where,
			"MANGLED is ignored: names in C are not mangled; patterns are matched "
			"with the names themselves");
	else
		take_pattern(r);
}

/* -- files ------------------------------------------------------------------------------------- */

static void read_words(struct reader *r)
{
	while (r->errors < MOST_ERRORS && next_word(r))
		take_word(r);
	end_verb(r);
	if (r->block)
		report_unclosed(r);
	if (r->errors >= MOST_ERRORS)
		sis_report_to(r->reporter, SIS_AST_ERROR, &r->next,
			      "too many errors; is this a filter file?");
}

static int unreadable(const struct reporter *reporter, const char *name, const char *reason)
{
	sis_report_to(reporter, SIS_AST_ERROR, NULL, "cannot read filter file '%s': %s", name,
		      reason);
	return -1;
}

static bool is_text(const struct text *text)
{
	for (size_t i = 0; i < text->length; i++)
		if (iscntrl((unsigned char)text->at[i]) && !isspace((unsigned char)text->at[i]))
			return false;
	return true;
}

/* Reads the whole file, which must be a regular file of text, and not larger than LARGEST. */
static int read_text(const char *name, struct text *text, const struct reporter *reporter)
{
	struct stat status;
	struct err err;
	if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
		return unreadable(reporter, name, "it is no regular file; name one that is");
	if (stat(name, &status) == 0 && status.st_size > LARGEST)
		return unreadable(reporter, name,
				  "it is larger than 16 MiB; use wildcards in place of many names");
	if (sis_file_read(name, text, &err) < 0) {
		sis_report_to(reporter, SIS_AST_ERROR, NULL,
			      "%s; --sis-filter= takes the name of a filter file", err.text);
		return -1;
	}
	if (!is_text(text))
		return unreadable(reporter, name,
				  "it is not text; a filter file has lines like INCLUDE main");
	return 0;
}

int sis_filter_read(struct filter *filter, const char *name, const struct reporter *reporter)
{
	struct text text = { 0 };
	int failed = read_text(name, &text, reporter);
	sis_words_add(&filter->origins, name);
	struct reader r = {
		.filter = filter,
		.reporter = reporter,
		.origin = filter->origins.at[filter->origins.count - 1],
		.at = text.at,
		.end = text.at + text.length,
		.next = { name, 1, 1 },
	};
	if (!failed && text.length) {
		read_words(&r);
		failed = r.errors ? -1 : 0;
	}
	free(r.word);
	sis_text_release(&text);
	return failed;
}

void sis_filter_add_list(struct filter *filter, bool include, const char *list, const char *option)
{
	char *copy = sis_format("%s", list ? list : "");
	sis_words_add(&filter->origins, option);
	for (char *save, *word = strtok_r(copy, ", \t", &save); word;
	     word = strtok_r(NULL, ", \t", &save))
		add_rule(filter, FILTER_REGION, include, word)->origin =
			filter->origins.at[filter->origins.count - 1];
	free(copy);
}
