/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_match.c - finds the rules of a filter that match a region. Any thread may call it. The
 * idea: for each subject (function, region, file, type), the last rule that matches the region
 * decides. Each subject alone can exclude the region. */
#include "filter_rules.h"

#include <fnmatch.h>

static bool matches_name(const struct sis_filter_rule *rule, const char *name)
{
	return fnmatch(rule->pattern, name, 0) == 0;
}

/* Score-P's rules for region names apply to functions and to named regions. Functions of C++ have
 * their demangled names there or, after MANGLED, those that begin with _Z. */
static bool matches_function(const struct sis_filter_rule *rule,
			     const struct sis_filter_region *region)
{
	return (region->type == CR_F || sis_region_in(region->type, CR_A)) &&
	       (matches_name(rule, region->name) ||
		(region->symbol && matches_name(rule, region->symbol)) ||
		(region->signature && matches_name(rule, region->signature)));
}

static bool matches_file(const struct sis_filter_rule *rule, const char *const *file)
{
	for (; *file; file++)
		if (matches_name(rule, *file))
			return true;
	return false;
}

static bool matches(const struct sis_filter_rule *rule, const struct sis_filter_region *region)
{
	switch (rule->subject) {
	case SIS_FILTER_SCOREP_REGION:
		return matches_function(rule, region);
	case SIS_FILTER_REGION:
		return matches_name(rule, region->name);
	case SIS_FILTER_FILE:
		return matches_file(rule, region->file);
	case SIS_FILTER_FUNCTION:
		return matches_name(rule, region->function);
	case SIS_FILTER_TYPE:
		return rule->type[region->type] ||
		       (region->outer_loop && rule->type[CR_OUTERLOOP]) ||
		       (region->inner_loop && rule->type[CR_INNERLOOP]) ||
		       (region->is_call && rule->type[CR_S]);
	case SIS_FILTER_SUBJECTS:
		break;
	}
	return false;
}

const struct sis_filter_rule *sis_filter_last(const struct sis_filter_rule *rule, size_t count,
					      enum sis_filter_subject subject,
					      const struct sis_filter_region *region)
{
	for (size_t i = count; i-- > 0;)
		if (rule[i].subject == subject && matches(&rule[i], region))
			return &rule[i];
	return NULL;
}

const struct sis_filter_rule *sis_filter_excluding(const struct sis_filter_rule *rule, size_t count,
						   const struct sis_filter_region *region)
{
	for (enum sis_filter_subject s = 0; s < SIS_FILTER_SUBJECTS; s++) {
		const struct sis_filter_rule *last = sis_filter_last(rule, count, s, region);
		if (last && !last->include)
			return last;
	}
	return NULL;
}
