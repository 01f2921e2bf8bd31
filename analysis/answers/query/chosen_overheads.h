/* SPDX-License-Identifier: BSD-3-Clause */
/* chosen_overheads.h - the overheads of chosen regions (region_choice.h) and processing units
 * (pu_choice.h), in any combination. */
#ifndef SIS_ANALYSIS_CHOSEN_OVERHEADS_H
#define SIS_ANALYSIS_CHOSEN_OVERHEADS_H

#include "answers/query/region_choice.h"
#include "tables.h"

struct overhead_choice {
	const char *region;        /* name that the user gave; NULL: all regions of the source */
	enum region_extent extent;
	bool by_pu;                /* a row for each processing unit */
	/* also the overheads that the reference runs explain. They are known only for all
	 * processing units together, so no unit may be left out */
	bool references;
	/* only this node of the overhead tree; O_NONE: all nodes */
	enum sis_overhead overhead;
};

/* Columns of the rows of chosen_overheads_each. */
enum {
	CHOSEN_PROCESS, CHOSEN_THREAD, CHOSEN_NAME, CHOSEN_TITLE, CHOSEN_FILE, CHOSEN_LINE,
	CHOSEN_OVERHEAD, CHOSEN_NS, CHOSEN_PATH, CHOSEN_COLUMNS
};

/* Chooses the regions. The caller must have chosen the processing units, and stored the parts of
 * the reference runs (references_keep). Makes temp.chosen_reference(chosen, part): the rows of
 * temp.reference_part that belong to each region. A part belongs to all regions and call paths that
 * contain all nodes of its call path. */
int chosen_overheads_load(struct region_choice *choice, struct repo *repo, int64_t experiment,
			  const struct overhead_choice *o, struct err *err);
/* Calls `take` for each region and node of the overhead tree; with by_pu, once for each processing
 * unit. Zeros are left out, unless the user names a region and an overhead. Times are divided by
 * `units`. */
int chosen_overheads_each(struct repo *repo, const struct overhead_choice *o, int64_t units,
			  repo_take *take, void *arg, struct err *err);

#endif
