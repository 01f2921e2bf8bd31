/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.h - the regions of the experiment that the region ids of a process stand for. */
#ifndef SIS_ANALYSIS_REGIONS_H
#define SIS_ANALYSIS_REGIONS_H

#include "model/experiment.h"

/* Adds the regions of the process's translation units; *by_id maps ids to regions of the
 * experiment. */
int regions_add(struct experiment_model *m, const struct process *process, struct map *by_id,
		struct err *err);
/* The region of an id. A region that is built into the runtime is added when it is met first. */
uint32_t regions_find(struct experiment_model *m, const struct process *process, struct map *by_id,
		      uint32_t id, warning_list *warnings);
/* The region of this name that is built into every runtime. */
uint32_t regions_builtin(struct experiment_model *m, const char *name, warning_list *warnings);

/* Names the files of all regions, and so the keys, relative to one directory, m->base. Called
 * after the last process was added. */
void regions_name_files(struct experiment_model *m);

/* Whether the region begins a team of threads. */
static inline bool region_forks_team(enum sis_region_type type)
{
	return type == CR_OMPPA || type == CR_OMPPAFOR || type == CR_OMPPASEC ||
		type == RT_PARALLEL;
}

/* Whether a processing unit has nothing to do in this loss of parallelism, but others have. */
static inline bool leaf_is_idle(enum sis_overhead leaf)
{
	return sis_overhead_in(leaf, OLOSS) && leaf != OLOSS_ASLEEP;
}

/* The leaf of the overhead tree that a region's exclusive time belongs to where no region around it
 * says otherwise (node_leaves.h); O_NONE: useful work. */
enum sis_overhead region_leaf(const struct region *region);

#endif
