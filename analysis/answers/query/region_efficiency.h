/* SPDX-License-Identifier: BSD-3-Clause */
/* region_efficiency.h - computes how well each region used the processing units that were in it. */
#ifndef SIS_ANALYSIS_REGION_EFFICIENCY_H
#define SIS_ANALYSIS_REGION_EFFICIENCY_H

#include "answers/query/efficiency.h"

struct region_efficiency {
	int64_t region;             /* id */
	char *name, *file;
	int64_t line;               /* 0: not in the source */
	size_t units;               /* number of processing units in the region */
	int64_t ns;                 /* sum of their inclusive times, divided by p */
	int64_t longest_ns;         /* longest inclusive time of one processing unit */
	/* longest_ns without probes; useful work of the unit that has most of it */
	int64_t longest_without_ns, most_useful_ns;
	int64_t leaf[SIS_OVERHEADS];/* the parts of `ns`; O_NONE: useful work */
	struct efficiencies efficiencies;
};
typedef VEC(struct region_efficiency) region_efficiencies;

/* Loads functions, named regions, loops and OpenMP constructs, and region `also` of any type (0:
 * none). The region with the most time is first. All times include what the region calls. The time
 * of an idle thread counts for the region in which others worked.
 *
 * Also makes temp.region_part(region, leaf, ns): the exclusive times of the nodes in
 * temp.report_node (report_scope.h), by region of the source. leaf NULL: useful work. */
int region_efficiencies_load(region_efficiencies *list, struct repo *repo, int64_t experiment,
			     int64_t also, struct err *err);
void region_efficiencies_release(region_efficiencies *list);

#endif
