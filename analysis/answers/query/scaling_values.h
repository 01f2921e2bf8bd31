/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_values.h - the value of a metric in the program, regions and call paths of a run, for
 * comparisons between runs on different numbers of processing units.
 *
 * The time of a region is that of the processing unit that is longest in it. All other metrics and
 * overheads are means over the processing units, as in the overhead tree, so perfect scaling
 * divides each of them by the number of processing units. MINT and MAXT are the smallest and the
 * largest value of all processing units. */
#ifndef SIS_ANALYSIS_SCALING_VALUES_H
#define SIS_ANALYSIS_SCALING_VALUES_H

#include "answers/query/region_times.h"
#include "answers/query/runs.h"

struct scaling_values {
	double program;
	double *region; /* of each region in `times`; NULL: not loaded */
};

/* Loads the values of `metric`, a variable of metric_values.h. `times`: the regions whose values
 * are loaded, too; NULL: none. Times are in seconds; NaN: not measured. */
int scaling_values_load(struct scaling_values *values, struct repo *repo, const struct run *run,
			const char *metric, const struct region_times *times, struct err *err);
void scaling_values_release(struct scaling_values *values);
/* The value in the region or call path that has the name (region_choice.h); NaN if there is no such
 * region or call path. */
int scaling_value_of(double *value, struct repo *repo, const struct run *run, const char *metric,
		     const char *name, struct err *err);
bool scaling_metric_is_time(const char *metric);

#endif
