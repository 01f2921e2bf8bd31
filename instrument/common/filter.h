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
	bool has_files;             /* at least one rule is about names of files */
	struct words file;          /* names of the last file that was compared */
};

/* Adds the rules of a file. Returns 0, or -1 if the file cannot be read or has an error
 * (reported). */
int sis_filter_read(struct filter *filter, const char *name, const struct reporter *reporter);
/* Adds a rule for each region name in the comma-separated `list`. `list` is NULL if the option was
 * not given. */
void sis_filter_add_list(struct filter *filter, bool include, const char *list, const char *option);
void sis_filter_release(struct filter *filter);

/* The rule that excludes the region; NULL if none does. */
const struct sis_filter_rule *sis_filter_excludes(struct filter *filter,
						  const struct sis_ast_region *region);
/* A text that names the rule as the reason why a region is not measured; to be freed. */
char *sis_filter_reason(const struct sis_filter_rule *rule);
/* Whether a rule other than `*` includes the region by name. Such a region is measured even if it
 * is small. */
bool sis_filter_names(struct filter *filter, const struct sis_ast_region *region);

#endif
