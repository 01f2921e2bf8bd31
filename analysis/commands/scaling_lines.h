/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_lines.h - the lines of `sis-analyze speedup` for one set of runs. */
#ifndef SIS_ANALYSIS_SCALING_LINES_H
#define SIS_ANALYSIS_SCALING_LINES_H

#include "commands/scaling_base.h"
#include "query/region_times.h"
#include "query/scaling_values.h"

struct scaling_set { /* some runs of a list, the base first */
	const struct run *run;
	const char *metric;
	bool is_time;
	struct region_times *times;    /* for each run; empty if only the program is shown */
	struct scaling_values *values; /* of the metric, for each run */
	struct scaling_values *without; /* of the wall time: the same without probes; else NULL */
	size_t n;
	enum base_kind kind;
};

/* Adds lines of the program, --regions or each --region to a table with the columns of
 * cmd_speedup.c. Bit k of *found is set if the set has the k-th --region. */
int scaling_lines_add(struct table *table, struct scaling_set *set, struct context *c, bool *found,
		      struct err *err);

#endif
