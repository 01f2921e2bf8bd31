/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_lines.h - the lines of `sis-analyze speedup` for one set of runs. */
#ifndef SIS_ANALYSIS_SCALING_LINES_H
#define SIS_ANALYSIS_SCALING_LINES_H

#include "commands/scaling_base.h"
#include "answers/query/region_times.h"
#include "answers/query/scaling_values.h"

struct scaling_set { /* consecutive runs of a list, the base first */
	const struct run *run;
	const char *metric;
	bool is_time;
	struct region_times *times;    /* for each run; empty if only the program is shown */
	struct scaling_values *values; /* of the metric, for each run */
	/* `values` without probes, if the metric is the wall time; else NULL */
	struct scaling_values *without;
	size_t n;
	enum base_kind kind;
};

/* Adds the lines of the program, of all regions (--regions), or of each --region to a table with
 * the columns of cmd_speedup.c. Sets found[k] if the set has the k-th --region. */
int scaling_lines_add(struct table *table, struct scaling_set *set, struct context *c, bool *found,
		      struct err *err);

#endif
