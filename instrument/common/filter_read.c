/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_read.c - reads filter files into rules. Called by select.c in libsis-instrument, and by
 * sisc's options_check.c. schema/filter_parse.c knows the grammar. */
#include "common/filter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct reading {
	struct filter *filter;
	const struct reporter *reporter;
	const char *name;   /* of the file, as the user wrote it */
	const char *origin; /* the same, in filter->origins */
};

/* Takes ownership of the pattern. */
static void add_rule(struct filter *filter, const struct sis_filter_rule *rule, char *pattern,
		     const char *origin)
{
	if ((filter->count & (filter->count + 1)) == 0) /* room doubles at 0, 1, 3, 7, ... */
		filter->rule = mem_resize(filter->rule, 2 * filter->count + 1,
					   sizeof *filter->rule);
	struct sis_filter_rule *new = &filter->rule[filter->count++];
	*new = *rule;
	new->pattern = pattern;
	new->origin = origin;
	filter->has_files |= rule->subject == SIS_FILTER_FILE;
}

static void take_rule(void *context, const struct sis_filter_rule *rule, const char *pattern,
		      size_t length)
{
	struct reading *reading = context;
	add_rule(reading->filter, rule, mem_print("%.*s", (int)length, pattern), reading->origin);
}

static int unreadable(const struct reporter *reporter, const char *name, const char *reason)
{
	sis_report_to(reporter, SIS_AST_ERROR, NULL, "cannot read filter file '%s': %s", name,
		      reason);
	return -1;
}

static void take_message(void *context, bool is_error, uint32_t line, uint32_t column,
			 const char *message)
{
	const struct reading *reading = context;
	const struct sis_ast_position where = { reading->name, line, column };
	if (line)
		sis_report_to(reading->reporter, is_error ? SIS_AST_ERROR : SIS_AST_WARNING, &where,
			      "%s", message);
	else
		unreadable(reading->reporter, reading->name, message);
}

/* Reads the whole file. It must be a regular file, and not larger than SIS_FILTER_LARGEST. */
static int read_text(const char *name, struct buf *text, const struct reporter *reporter)
{
	struct stat status;
	struct err err = { "" };
	if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
		return unreadable(reporter, name, "it is no regular file; name one that is");
	if (stat(name, &status) == 0 && status.st_size > SIS_FILTER_LARGEST)
		return unreadable(reporter, name,
				  "it is larger than 16 MiB; use wildcards in place of many names");
	if (sis_file_read(name, text, &err) < 0) {
		sis_report_to(reporter, SIS_AST_ERROR, NULL,
			      "%s; --sis-filter= takes the name of a filter file", err.text);
		return -1;
	}
	return 0;
}

int sis_filter_read(struct filter *filter, const char *name, const struct reporter *reporter)
{
	struct buf text = { 0 };
	int failed = read_text(name, &text, reporter);
	sis_words_add(&filter->origins, name);
	struct reading reading = { filter, reporter, name,
				   filter->origins.at[filter->origins.count - 1] };
	const struct sis_filter_user user = { &reading, take_rule, take_message };
	if (!failed && text.length)
		failed = sis_filter_parse(text.at, text.length, &user) ? -1 : 0;
	buf_release(&text);
	return failed;
}

void sis_filter_add_list(struct filter *filter, bool include, const char *list, const char *option)
{
	const struct sis_filter_rule rule = { .subject = SIS_FILTER_REGION, .include = include };
	char *copy = mem_print("%s", list ? list : "");
	sis_words_add(&filter->origins, option);
	for (char *save, *word = strtok_r(copy, ", \t", &save); word;
	     word = strtok_r(NULL, ", \t", &save))
		add_rule(filter, &rule, mem_print("%s", word),
			 filter->origins.at[filter->origins.count - 1]);
	free(copy);
}
