/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - which rules of a filter match a region. In libsis-instrument; select.c calls it.
 * The idea: the last rule that matches a region wins. Subjects (function, region, file, type) are
 * independent, and each of them can exclude the region. */
#include "common/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static bool matches_name(const struct filter_rule *rule, const char *name)
{
	return fnmatch(rule->pattern, name, 0) == 0;
}

/* With and without "./". */
static void add_relative(struct words *names, const char *path)
{
	sis_words_add(names, path);
	sis_words_addf(names, "./%s", path);
}

static void add_absolute(struct words *names, const char *file)
{
	char *path = realpath(file, NULL), *here = realpath(".", NULL);
	size_t n = here ? strlen(here) : 0;
	if (path)
		sis_words_add(names, path);
	if (path && n > 1 && strncmp(path, here, n) == 0 && path[n] == '/')
		add_relative(names, path + n + 1);
	free(path);
	free(here);
}

/* The names of a file that patterns are compared with: as the compiler was told, relative to the
 * working directory, and absolute. The first one is the compiler's. */
static void name_file(struct words *names, const char *file)
{
	char *plain = sis_plain_path(file);
	sis_words_release(names);
	sis_words_add(names, file);
	if (plain[0] != '/')
		add_relative(names, plain);
	add_absolute(names, file);
	free(plain);
}

/* Consecutive regions are mostly in one file, so its names are kept. */
static bool matches_file(struct filter *filter, const struct filter_rule *rule, const char *file)
{
	struct words *names = &filter->file;
	if (!names->count || strcmp(names->at[0], file) != 0)
		name_file(names, file);
	for (size_t i = 0; i < names->count; i++)
		if (matches_name(rule, names->at[i]))
			return true;
	return false;
}

/* Score-P's rules for region names apply to functions and to named regions. */
static bool is_scorep_region(const struct sis_ast_region *region)
{
	return region->type == CR_F || region->type == CR_A;
}

static bool matches(struct filter *filter, const struct filter_rule *rule,
		    enum filter_subject subject, const struct sis_ast_region *region)
{
	switch (subject) {
	case FILTER_SCOREP_REGION:
		return is_scorep_region(region) && matches_name(rule, region->name);
	case FILTER_REGION:
		return matches_name(rule, region->name);
	case FILTER_FILE:
		return matches_file(filter, rule, region->begin.file);
	case FILTER_FUNCTION:
		return matches_name(rule, region->function);
	case FILTER_TYPE:
		return rule->type[region->type] ||
			(region->outer_loop && rule->type[CR_OUTERLOOP]) ||
			(region->inner_loop && rule->type[CR_INNERLOOP]) ||
			(region->callee[0] && rule->type[CR_S]);
	case FILTER_SUBJECTS:
		break;
	}
	return false;
}

static const struct filter_rule *last_match(struct filter *filter, enum filter_subject subject,
					    const struct sis_ast_region *region)
{
	for (size_t i = filter->count[subject]; i-- > 0;)
		if (matches(filter, &filter->rule[subject][i], subject, region))
			return &filter->rule[subject][i];
	return NULL;
}

const struct filter_rule *sis_filter_excludes(struct filter *filter,
					      const struct sis_ast_region *region)
{
	for (enum filter_subject s = 0; s < FILTER_SUBJECTS; s++) {
		const struct filter_rule *rule = last_match(filter, s, region);
		if (rule && !rule->include)
			return rule;
	}
	return NULL;
}

bool sis_filter_names(struct filter *filter, const struct sis_ast_region *region)
{
	const struct filter_rule *function = last_match(filter, FILTER_SCOREP_REGION, region);
	const struct filter_rule *any = last_match(filter, FILTER_REGION, region);
	return (function && function->include && strcmp(function->pattern, "*") != 0) ||
	       (any && any->include && strcmp(any->pattern, "*") != 0);
}

void sis_filter_release(struct filter *filter)
{
	for (size_t s = 0; s < FILTER_SUBJECTS; s++) {
		for (size_t i = 0; i < filter->count[s]; i++)
			free(filter->rule[s][i].pattern);
		free(filter->rule[s]);
	}
	sis_words_release(&filter->origins);
	sis_words_release(&filter->file);
	*filter = (struct filter){ 0 };
}
