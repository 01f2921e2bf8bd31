/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_rules.h - filter files, which exclude regions by the name of the region, file or function,
 * or by type. sisc reads them for --sis-filter, the runtime for SIS_FILTER. Nothing here allocates
 * memory. */
#ifndef SIS_SCHEMA_FILTER_RULES_H
#define SIS_SCHEMA_FILTER_RULES_H

#include "tables.h"

/* The property of a region with which the pattern of a rule is compared. */
enum sis_filter_subject {
	SIS_FILTER_SCOREP_REGION,   /* the name of a function or named region */
	SIS_FILTER_REGION,          /* the name of any region */
	SIS_FILTER_FILE,
	SIS_FILTER_FUNCTION,        /* the name of the enclosing function */
	SIS_FILTER_TYPE,
	SIS_FILTER_SUBJECTS
};

struct sis_filter_rule {
	enum sis_filter_subject subject;
	bool include;
	const char *pattern;        /* a pattern of fnmatch */
	const char *origin;         /* name of the rule's file or option */
	uint32_t line;              /* 0: the rule is from an option */
	bool type[SIS_REGION_TYPES];/* SIS_FILTER_TYPE: the types that match the pattern */
};

/* A region with which rules are compared. */
struct sis_filter_region {
	enum sis_region_type type;
	bool outer_loop, inner_loop;
	bool is_call;               /* the region is a call of a function whose name is known */
	const char *name, *function;
	const char *symbol, *signature; /* a function of C++: its mangled and demangled names */
	const char *const *file;    /* all names of its file; NULL ends the list */
};

/* The rule that excludes the region; NULL: no rule excludes it. `rule` has the rules in the order
 * in which the user gave them. For each subject, the last rule that matches decides. The region is
 * excluded if this rule of at least one subject excludes it. */
const struct sis_filter_rule *sis_filter_excluding(const struct sis_filter_rule *rule, size_t count,
						   const struct sis_filter_region *region);
/* The last rule of the subject that matches the region; NULL: no rule matches. */
const struct sis_filter_rule *sis_filter_last(const struct sis_filter_rule *rule, size_t count,
					      enum sis_filter_subject subject,
					      const struct sis_filter_region *region);

/* -- reading filter files ---------------------------------------------------------------------- */

enum { SIS_FILTER_LARGEST = 16 << 20 }; /* most bytes of a file */

/* The functions that sis_filter_parse calls. */
struct sis_filter_user {
	void *context;
	/* Called for each pattern after INCLUDE or EXCLUDE. `pattern` has `length` bytes. The
	 * members `pattern` and `origin` of `rule` are not set. */
	void (*rule)(void *context, const struct sis_filter_rule *rule, const char *pattern,
		     size_t length);
	/* line 0: the message concerns the whole file */
	void (*message)(void *context, bool is_error, uint32_t line, uint32_t column,
			const char *message);
};

/* Reads the text of a filter file. Returns the number of errors. */
int sis_filter_parse(const char *text, size_t length, const struct sis_filter_user *user);

#endif
