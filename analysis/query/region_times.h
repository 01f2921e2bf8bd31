/* SPDX-License-Identifier: BSD-3-Clause */
/* region_times.h - the regions of an experiment with their times, and which of another experiment
 * they are. */
#ifndef SIS_ANALYSIS_REGION_TIMES_H
#define SIS_ANALYSIS_REGION_TIMES_H

#include "repository/repository.h"

struct region_time {
	char *key, *name, *type, *file;
	int64_t line;
	int64_t wall_ns; /* inclusive, of the PU that was longest in it */
	int64_t excl_ns; /* exclusive, sum over the PUs, divided by p */
	int64_t calls;   /* sum over the PUs */
};
struct region_times { VEC(struct region_time) region; }; /* by exclusive time, longest first */

#define NO_REGION SIZE_MAX

int region_times_load(struct region_times *times, struct repo *repo, int64_t experiment,
		      struct err *err);
void region_times_release(struct region_times *times);
/* For each region of `to` the same region in `from`, or NO_REGION. The caller frees it. */
size_t *region_times_pair(const struct region_times *from, const struct region_times *to);
/* Whether a region matches a name, a key, or a name without its line. */
bool region_time_is(const struct region_time *region, const char *name);

#endif
