/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - compares regions of a source with the rules of a command line. Called by select.c and
 * arguments.c in libsis-instrument, and by sisc's options_check.c. The comparison with one rule is
 * in schema/filter_match.c. */
#include "common/filter.h"

#include <stdlib.h>
#include <string.h>

/* Adds the path with and without "./" before it. */
static void add_relative(struct words *names, const char *path)
{
	sis_words_add(names, path);
	sis_words_addf(names, "./%s", path);
}

/* The names of a file, with which patterns are compared. The first name is the compiler's name of
 * the file. The other names are relative to the working directory, or absolute. Consecutive regions
 * are mostly in one file, so the names of the last file are kept. */
static const char *const *names_of_file(struct filter *filter, const char *file)
{
	static const char *const none[] = { NULL };
	struct words *names = &filter->file;
	if (!filter->has_files)
		return none;
	if (names->count && strcmp(names->at[0], file) == 0)
		return (const char *const *)names->at;
	char *plain = sis_plain_path(file), *path = realpath(file, NULL),
	     *here = realpath(".", NULL);
	size_t n = here ? strlen(here) : 0;
	sis_words_release(names);
	sis_words_add(names, file);
	if (plain[0] != '/')
		add_relative(names, plain);
	if (path)
		sis_words_add(names, path);
	if (path && n > 1 && strncmp(path, here, n) == 0 && path[n] == '/')
		add_relative(names, path + n + 1);
	free(plain);
	free(path);
	free(here);
	return (const char *const *)names->at;
}

static struct sis_filter_region to_compare(struct filter *filter,
					   const struct sis_ast_region *region)
{
	return (struct sis_filter_region){
		.type = region->type,
		.outer_loop = region->outer_loop,
		.inner_loop = region->inner_loop,
		.is_call = region->callee[0],
		.name = region->name,
		.function = region->function,
		.symbol = region->symbol,
		.signature = region->signature,
		.file = names_of_file(filter, region->begin.file),
	};
}

const struct sis_filter_rule *sis_filter_excludes(struct filter *filter,
						  const struct sis_ast_region *region)
{
	const struct sis_filter_region compared = to_compare(filter, region);
	return sis_filter_excluding(filter->rule, filter->count, &compared);
}

char *sis_filter_reason(const struct sis_filter_rule *rule)
{
	if (rule->line)
		return mem_print("filter %s:%u: EXCLUDE %s", rule->origin, rule->line,
				  rule->pattern);
	return mem_print("%s=%s", rule->origin, rule->pattern);
}

static bool includes_name(const struct filter *filter, enum sis_filter_subject subject,
			  const struct sis_filter_region *region)
{
	const struct sis_filter_rule *last =
		sis_filter_last(filter->rule, filter->count, subject, region);
	return last && last->include && strcmp(last->pattern, "*") != 0;
}

bool sis_filter_names(struct filter *filter, const struct sis_ast_region *region)
{
	const struct sis_filter_region compared = to_compare(filter, region);
	return includes_name(filter, SIS_FILTER_SCOREP_REGION, &compared) ||
	       includes_name(filter, SIS_FILTER_REGION, &compared);
}

void sis_filter_release(struct filter *filter)
{
	for (size_t i = 0; i < filter->count; i++)
		free((char *)filter->rule[i].pattern);
	free(filter->rule);
	sis_words_release(&filter->origins);
	sis_words_release(&filter->file);
	*filter = (struct filter){ 0 };
}
