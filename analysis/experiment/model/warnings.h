/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.h - warnings about a run or its analysis, for the user. All stages add to one list. */
#ifndef SIS_ANALYSIS_WARNINGS_H
#define SIS_ANALYSIS_WARNINGS_H

#include "base/mem.h"

enum warning_kind {
	WARNING_RUN,	    /* about the run itself: killed processes, dropped records ... */
	WARNING_SAMPLED,    /* times are estimates */
	WARNING_COUNTS,	    /* counts are estimates, or not complete */
	WARNING_LOST,	    /* a metric has no value */
	WARNING_COST,	    /* the cost of one event of a counted leaf */
	WARNING_CAUSES,	    /* causes of waits are estimates */
	WARNING_FILTER,     /* regions are turned off by SIS_FILTER */
	WARNING_PROCESSOR,  /* the kernel does not say when threads had no processor */
	WARNING_LACK,       /* the source of OLOSS_NOCPU; not shown as a warning */
	WARNING_VARIABLES,  /* the blame of some variables is not certain */
	WARNING_KINDS
};
extern const char *const warning_kind_names[WARNING_KINDS]; /* the names in the repository */
struct warning {
	enum warning_kind kind;
	char *text;
};
typedef VEC(struct warning) warning_list;

/* Add a warning of kind WARNING_RUN, or of another kind. Equal texts are added once. */
void warnings_add(warning_list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void warnings_add_of(warning_list *list, enum warning_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void warnings_release(warning_list *list);

#endif
