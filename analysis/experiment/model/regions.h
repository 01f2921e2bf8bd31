/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.h - maps the region ids of a process to regions of the experiment. */
#ifndef SIS_ANALYSIS_REGIONS_H
#define SIS_ANALYSIS_REGIONS_H

#include "experiment/model/experiment.h"

/* Adds the regions of the process's translation units; *by_id maps ids to regions of the
 * experiment. */
int regions_add(struct experiment_model *m, const struct process *process, struct map *by_id,
		struct err *err);
/* Adds the functions of samples, whose ids begin at SAMPLED_ID in all processes. */
void regions_add_sampled(struct experiment_model *m, const struct sampled *sampled);
/* Adds the places of calls that the source does not announce (profile.call). */
void regions_add_called(struct experiment_model *m, const struct sampled *sampled);
/* The region of an id. A region that is built into the runtime is added at its first use. */
uint32_t regions_find(struct experiment_model *m, const struct process *process, struct map *by_id,
		      uint32_t id, warning_list *warnings);
/* The region with this name, which is built into every runtime. */
uint32_t regions_builtin(struct experiment_model *m, const char *name, warning_list *warnings);

/* Makes the file names of all regions, and so their keys, relative to one directory, m->base.
 * Called after the last process was added. */
void regions_name_files(struct experiment_model *m, const struct sampled *sampled);

/* Whether the region begins a team of threads. */
static inline bool region_forks_team(enum sis_region_type type)
{
	return type == CR_OMPPA || type == CR_OMPPAFOR || type == CR_OMPPASEC ||
		type == RT_PARALLEL;
}

/* The leaf of the overhead tree that a region's exclusive time belongs to, unless a region around
 * it changes the leaf (node_leaves.h); O_NONE: useful work. */
enum sis_overhead region_leaf(const struct region *region);

#endif
