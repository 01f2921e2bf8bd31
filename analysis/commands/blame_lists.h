/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_lists.h - what `sis-analyze blame` prints: variables of blame points, the profile of
 * functions, overheads of variables. temp.chosen_point has the points that are printed
 * (blame_points.h). */
#ifndef SIS_ANALYSIS_BLAME_LISTS_H
#define SIS_ANALYSIS_BLAME_LISTS_H

#include "commands/command.h"
#include "answers/query/blame_points.h"

struct blame_view {
	int64_t experiment;
	int64_t samples;       /* all of the experiment, placed or not */
	bool inclusive;        /* else partitioned */
	bool fields;           /* also the parts of variables */
	bool chosen;           /* the user chose blame points: --at, --share */
	bool by_unit;          /* a line for each unit; if not, their mean and deviation */
	enum blame_unit unit;
	int64_t units;
	int64_t left_out;      /* number of points that were not chosen (blame_points_choose) */
};

/* Prints a table for each chosen point, then how samples were placed. Text only. */
int blame_print_page(struct context *c, const struct blame_view *view, struct err *err);
/* Prints a row for each variable and processing unit, for --json and --csv. */
int blame_print_rows(struct context *c, const struct blame_view *view, struct err *err);
/* Prints the profile of functions, from the same samples; `most`: the largest number of lines; 0:
 * all. */
int blame_print_functions(struct context *c, const struct blame_view *view, int64_t most,
			  struct err *err);
/* Prints stacks for flame graphs, one a line: the functions of the point, the variable, and the
 * number of samples. */
int blame_print_folded(struct context *c, const struct blame_view *view, struct err *err);
/* Prints the time of an overhead for each variable. */
int blame_print_overhead(struct context *c, const struct blame_view *view, const char *overhead,
			 struct err *err);

#endif
