/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_leaves.h - the time of each processing unit by leaf of the overhead tree, in a temporary table
 * of the repository. */
#ifndef SIS_ANALYSIS_PU_LEAVES_H
#define SIS_ANALYSIS_PU_LEAVES_H

#include "base/map.h"
#include "repository/database/repository.h"
#include "tables.h"

/* Adds an experiment to table temp.pu_leaf(experiment, pu, leaf, ns), unless it is there
 * already. */
int pu_leaves_load(struct repo *repo, int64_t experiment, struct err *err);
/* Empties the table. To be called when stored rows change. */
int pu_leaves_forget(struct repo *repo, struct err *err);

/* A map from the names of overheads in the database, for lookups of millions of rows. The caller
 * frees it. */
struct strmap overhead_names(void);
static inline enum sis_overhead overhead_named(const struct strmap *names, const char *name)
{
	uint32_t found = name ? strmap_get(names, name) : MAP_NONE; /* NULL in a damaged database */
	return found == MAP_NONE ? O_NONE : (enum sis_overhead)found;
}
/* Like overhead_named, but an unknown name is an error. */
int overhead_known(const struct strmap *names, const char *name, enum sis_overhead *leaf,
		   struct err *err);

#endif
