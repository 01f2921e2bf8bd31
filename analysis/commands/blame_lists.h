/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_lists.h - what `sis-analyze blame` prints: variables of blame points, the profile of
 * functions, overheads of variables. temp.chosen_point says which points (blame_points.h). */
#ifndef SIS_ANALYSIS_BLAME_LISTS_H
#define SIS_ANALYSIS_BLAME_LISTS_H

#include "commands/command.h"
#include "query/blame_points.h"

struct blame_view {
	int64_t experiment;
	int64_t samples;       /* of the experiment, placed or not */
	bool inclusive;        /* else partitioned */
	bool fields;           /* with the parts of variables */
	bool chosen;           /* blame points were asked for: --at, --share */
	bool by_unit;          /* a line for each unit; else their mean and deviation */
	enum blame_unit unit;
	int64_t units;
	int64_t left_out;      /* points above which blame cannot rise, with few samples */
};

/* The page: a table for each chosen point, then how samples were placed. Text only. */
int blame_print_page(struct context *c, const struct blame_view *view, struct err *err);
/* A row for each variable and processing unit, for --json and --csv. */
int blame_print_rows(struct context *c, const struct blame_view *view, struct err *err);
/* The plain profile of the same samples; `most`: this many lines, 0: all. */
int blame_print_functions(struct context *c, const struct blame_view *view, int64_t most,
			  struct err *err);
/* Lines of stacks for flame graphs: functions of the point, the variable, samples. */
int blame_print_folded(struct context *c, const struct blame_view *view, struct err *err);
/* Time of an overhead for each variable. */
int blame_print_overhead(struct context *c, const struct blame_view *view, const char *overhead,
			 struct err *err);

#endif
