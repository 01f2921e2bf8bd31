/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_rules.h - filter files: they exclude regions by the name of the region, file or function,
 * or by type. sisc reads them for --sis-filter, the runtime for SIS_FILTER. Nothing here allocates
 * memory. */
#ifndef SIS_SCHEMA_FILTER_RULES_H
#define SIS_SCHEMA_FILTER_RULES_H

#include "tables.h"

/* What the pattern of a rule is compared with. */
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
	const char *pattern;        /* of fnmatch */
	const char *origin;         /* name of the rule's file or option */
	uint32_t line;              /* 0: an option */
	bool type[SIS_REGION_TYPES];/* SIS_FILTER_TYPE: the types that match the pattern */
};

/* What rules are compared with. */
struct sis_filter_region {
	enum sis_region_type type;
	bool outer_loop, inner_loop;
	bool is_call;               /* of a function whose name is known */
	const char *name, *function;
	const char *const *file;    /* all names of its file, NULL-ended */
};

/* The rule that excludes the region; NULL: none does. `rule`: in the order in which they were
 * given. Of the rules of one subject that match, the last one counts. Each subject can exclude the
 * region. */
const struct sis_filter_rule *sis_filter_excluding(const struct sis_filter_rule *rule, size_t count,
						   const struct sis_filter_region *region);
/* The last rule of the subject that matches the region; NULL: none does. */
const struct sis_filter_rule *sis_filter_last(const struct sis_filter_rule *rule, size_t count,
					      enum sis_filter_subject subject,
					      const struct sis_filter_region *region);

/* -- reading ----------------------------------------------------------------------------------- */

enum { SIS_FILTER_LARGEST = 16 << 20 }; /* bytes of a file */

/* What is done with the parts of a filter file. */
struct sis_filter_user {
	void *context;
	/* A pattern of `length` bytes after INCLUDE or EXCLUDE. The rule lacks pattern and
	 * origin. */
	void (*rule)(void *context, const struct sis_filter_rule *rule, const char *pattern,
		     size_t length);
	/* line 0: it concerns the whole file */
	void (*message)(void *context, bool is_error, uint32_t line, uint32_t column,
			const char *message);
};

/* Reads the text of a filter file. Returns the number of errors. */
int sis_filter_parse(const char *text, size_t length, const struct sis_filter_user *user);

#endif
