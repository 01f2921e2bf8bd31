/* SPDX-License-Identifier: BSD-3-Clause */
/* region_times.h - loads the regions of an experiment with their times, and finds the same regions
 * in another experiment. */
#ifndef SIS_ANALYSIS_REGION_TIMES_H
#define SIS_ANALYSIS_REGION_TIMES_H

#include "base/map.h"
#include "repository/database/repository.h"

struct region_time {
	int64_t id;
	char *key, *name, *type, *file;
	int64_t line; /* 0: not in the source */
	int64_t wall_ns; /* inclusive time of the PU that was longest in the region */
	int64_t excl_ns; /* exclusive time, summed over the PUs and divided by p */
	int64_t probe_ns; /* the probes' cost in excl_ns (region_times_load_probes) */
	int64_t calls;   /* sum over the PUs */
};
struct region_times { VEC(struct region_time) region; }; /* by exclusive time, longest first */

#define NO_REGION SIZE_MAX

int region_times_load(struct region_times *times, struct repo *repo, int64_t experiment,
		      struct err *err);
void region_times_release(struct region_times *times);
/* Sets probe_ns of all regions. */
int region_times_load_probes(struct region_times *times, struct repo *repo, int64_t experiment,
			     struct err *err);
/* Finds, for each region of `to`, the same region in `from`, or NO_REGION. The caller frees the
 * list. */
size_t *region_times_pair(const struct region_times *from, const struct region_times *to);
/* The regions of several experiments, each once. All zeros is an empty union. */
struct region_union {
	/* of the last added experiment that has the region */
	VEC(const struct region_time *) region;
	const struct region_times *first;
	struct strmap by_key;
};
/* Adds an experiment. Returns, for each of its regions, the number in the union; the caller frees
 * this list. The union keeps pointers to the regions. */
size_t *region_union_add(struct region_union *all, const struct region_times *times);
void region_union_release(struct region_union *all);
/* Whether `name`, from the user, names the region (region_names.h). */
bool region_time_is(const struct region_time *region, const char *name);

#endif
