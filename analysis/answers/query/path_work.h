/* SPDX-License-Identifier: BSD-3-Clause */
/* path_work.h - the useful work of two experiments by call path, on the paths that matched_paths.h
 * finds. Each nanosecond of useful work counts for one path. */
#ifndef SIS_ANALYSIS_PATH_WORK_H
#define SIS_ANALYSIS_PATH_WORK_H

#include "answers/query/matched_paths.h"

struct path_work { uint32_t path, pu; double ns; int64_t calls; };
struct work { /* of an experiment */
	struct call_graph graph;
	/* while the experiment is in a pair: sorted by path, then PU */
	VEC(struct path_work) part;
	/* by path: index of its first part, with one more at the end; sums over the PUs */
	size_t *first;
	double *ns;
	int64_t *calls;
};
struct work_pair { /* two experiments, whose work the caller owns */
	struct work *from, *to;
	struct matched_paths matched; /* from: run 0, to: run 1 */
};

int work_load(struct work *work, struct repo *repo, int64_t experiment, struct err *err);
void work_release(struct work *work);
/* Matches the paths and adds up the work by path. An experiment can be in only one pair at a
 * time. */
void work_pair_load(struct work_pair *pair, struct work *from, struct work *to);
/* Removes the sums by path of an experiment, so that it can be in another pair. */
void work_clear_paths(struct work *work);
void work_pair_release(struct work_pair *pair);

#endif
