/* SPDX-License-Identifier: BSD-3-Clause */
/* region_times.h - the regions of an experiment with their times, and which of another experiment
 * they are. */
#ifndef SIS_ANALYSIS_REGION_TIMES_H
#define SIS_ANALYSIS_REGION_TIMES_H

#include "base/map.h"
#include "repository/repository.h"

struct region_time {
	int64_t id;
	char *key, *name, *type, *file;
	int64_t line; /* 0: not in the source */
	int64_t wall_ns; /* inclusive, of the PU that was longest in it */
	int64_t excl_ns; /* exclusive, sum over the PUs, divided by p */
	int64_t probe_ns; /* of it, the probes' own cost (region_times_load_probes) */
	int64_t calls;   /* sum over the PUs */
};
struct region_times { VEC(struct region_time) region; }; /* by exclusive time, longest first */

#define NO_REGION SIZE_MAX

int region_times_load(struct region_times *times, struct repo *repo, int64_t experiment,
		      struct err *err);
void region_times_release(struct region_times *times);
/* Finds how much of the exclusive times is the probes' own cost. */
int region_times_load_probes(struct region_times *times, struct repo *repo, int64_t experiment,
			     struct err *err);
/* For each region of `to` the same region in `from`, or NO_REGION. The caller frees it. */
size_t *region_times_pair(const struct region_times *from, const struct region_times *to);
/* The regions of several experiments, each once. All zeros is empty. */
struct region_union {
	VEC(const struct region_time *) region; /* of the experiment that was added last */
	const struct region_times *first;
	struct strmap by_key;
};
/* Adds an experiment. Returns the number in the union of each of its regions; the caller frees the
 * list. The union keeps pointers to the regions. */
size_t *region_union_add(struct region_union *all, const struct region_times *times);
void region_union_release(struct region_union *all);
/* Whether a text of the user names the region (region_names.h). */
bool region_time_is(const struct region_time *region, const char *name);

#endif
