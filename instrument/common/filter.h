/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.h - filter files: which regions are left out, by the name of region, file or function, or
 * by type. */
#ifndef SISC_FILTER_H
#define SISC_FILTER_H

#include "common/base.h"
#include "common/report.h"

enum filter_subject {
	FILTER_SCOREP_REGION,
	FILTER_REGION,
	FILTER_FILE,
	FILTER_FUNCTION,
	FILTER_TYPE,
	FILTER_SUBJECTS
};

struct filter_rule {
	bool include;
	char *pattern;              /* of fnmatch */
	const char *origin;         /* file, or option, it comes from; one for many rules */
	uint32_t line;              /* 0: an option */
	bool type[SIS_REGION_TYPES];/* FILTER_TYPE: the rows that the pattern names */
};

/* Rules in the order they were given; of those that match a region the last one holds. */
struct filter {
	struct filter_rule *rule[FILTER_SUBJECTS];
	size_t count[FILTER_SUBJECTS];
	struct words origins;
	char *file, *path;          /* the file matched last, and its absolute path */
};

/* Adds the rules of a file. 0; -1: it cannot be read or has an error (reported). */
int sis_filter_read(struct filter *filter, const char *name, const struct reporter *reporter);
/* Adds a rule for each name in a list of region names, comma-separated; NULL: none. */
void sis_filter_add_list(struct filter *filter, bool include, const char *list, const char *option);
void sis_filter_release(struct filter *filter);

/* The rule that excludes the region; NULL: none does. */
const struct filter_rule *sis_filter_excludes(struct filter *filter,
					      const struct sis_ast_region *region);
/* Whether a rule other than `*` includes it by name: then it is measured however small it is. */
bool sis_filter_names(struct filter *filter, const struct sis_ast_region *region);

#endif
