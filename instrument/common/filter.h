/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.h - the filter files and the lists of names of a command line, as rules. */
#ifndef SISC_FILTER_H
#define SISC_FILTER_H

#include "common/base.h"
#include "common/report.h"
#include "filter_rules.h"

/* Rules in the order in which they were given. */
struct filter {
	struct sis_filter_rule *rule;
	size_t count;
	struct words origins;
	bool has_files;             /* some rule is compared with names of files */
	struct words file;          /* names of the last file that was compared */
};

/* Adds the rules of a file. 0; -1: it cannot be read or has an error (reported). */
int sis_filter_read(struct filter *filter, const char *name, const struct reporter *reporter);
/* Adds a rule for each name in a list of region names, comma-separated; NULL: none. */
void sis_filter_add_list(struct filter *filter, bool include, const char *list, const char *option);
void sis_filter_release(struct filter *filter);

/* The rule that excludes the region; NULL: none does. */
const struct sis_filter_rule *sis_filter_excludes(struct filter *filter,
						  const struct sis_ast_region *region);
/* The rule, as the reason why a region is not measured; to be freed. */
char *sis_filter_reason(const struct sis_filter_rule *rule);
/* Whether a rule other than `*` includes it by name: then it is measured however small it is. */
bool sis_filter_names(struct filter *filter, const struct sis_ast_region *region);

#endif
