/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.h - filter files: they exclude regions by the name of the region, file or function, or by
 * type. */
#ifndef SISC_FILTER_H
#define SISC_FILTER_H

#include "common/base.h"
#include "common/report.h"

/* What the pattern of a rule is compared with. */
enum filter_subject {
	FILTER_SCOREP_REGION,       /* the name of a function or named region */
	FILTER_REGION,              /* the name of any region */
	FILTER_FILE,
	FILTER_FUNCTION,            /* the name of the enclosing function */
	FILTER_TYPE,
	FILTER_SUBJECTS
};

struct filter_rule {
	bool include;
	char *pattern;              /* of fnmatch */
	const char *origin;         /* name of the rule's file or option; in filter.origins */
	uint32_t line;              /* 0: an option */
	bool type[SIS_REGION_TYPES];/* FILTER_TYPE: the types that match the pattern */
};

/* Rules in the order in which they were given. Of those that match a region, the last one wins. */
struct filter {
	struct filter_rule *rule[FILTER_SUBJECTS];
	size_t count[FILTER_SUBJECTS];
	struct words origins;
	struct words file;          /* names of the last file that was compared */
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
