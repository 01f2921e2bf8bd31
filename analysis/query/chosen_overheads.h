/* SPDX-License-Identifier: BSD-3-Clause */
/* chosen_overheads.h - the overheads of chosen regions (region_choice.h) and processing units
 * (pu_choice.h), in any combination. */
#ifndef SIS_ANALYSIS_CHOSEN_OVERHEADS_H
#define SIS_ANALYSIS_CHOSEN_OVERHEADS_H

#include "query/region_choice.h"
#include "tables.h"

struct overhead_choice {
	const char *region;        /* as the user names it; NULL: all regions of the source */
	enum region_extent extent;
	bool by_pu;                /* a row for each processing unit */
	/* also what the reference runs explain: only if no processing unit is left out, because it
	 * is known of all together */
	bool references;
	/* only this node; O_NONE: all */
	enum sis_overhead overhead;
};

/* Columns of the rows of chosen_overheads_each. */
enum {
	CHOSEN_PROCESS, CHOSEN_THREAD, CHOSEN_NAME, CHOSEN_TITLE, CHOSEN_FILE, CHOSEN_LINE,
	CHOSEN_OVERHEAD, CHOSEN_NS, CHOSEN_PATH, CHOSEN_COLUMNS
};

/* Chooses the regions. The processing units are chosen before, and the parts of the reference runs
 * are kept (references_keep).
 * Makes temp.chosen_reference(chosen, part): the rows of temp.reference_part that belong to each
 * region. A part belongs to all regions and call paths that contain all nodes of its call path. */
int chosen_overheads_load(struct region_choice *choice, struct repo *repo, int64_t experiment,
			  const struct overhead_choice *o, struct err *err);
/* Calls `take` for each region and node of the overhead tree, and with by_pu for each processing
 * unit. Zeros are left out, unless a region and an overhead are named. `units`: what seconds are
 * divided by. */
int chosen_overheads_each(struct repo *repo, const struct overhead_choice *o, int64_t units,
			  repo_take *take, void *arg, struct err *err);

#endif
