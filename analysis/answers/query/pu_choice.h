/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_choice.h - chooses the processing units that a user names. */
#ifndef SIS_ANALYSIS_PU_CHOICE_H
#define SIS_ANALYSIS_PU_CHOICE_H

#include "base/map.h"
#include "repository/database/repository.h"

struct pu_pattern { int64_t process, thread; }; /* -1: any */
typedef VEC(struct pu_pattern) pu_patterns;

/* Whether a processing unit matches one of the patterns, or there are no patterns. */
bool pu_patterns_match(const pu_patterns *patterns, int64_t process, int64_t thread);
/* Makes temp.chosen_pu(pu), which replaces the table of an earlier choice: the processing units of
 * an experiment that match a pattern, or all of them if there are no patterns. A pattern that no
 * processing unit matches is an error. *n: the number of chosen processing units. */
int pu_choice_load(struct repo *repo, int64_t experiment, const pu_patterns *patterns, int64_t *n,
		   struct err *err);
/* The ids in temp.chosen_pu, as keys (id, 0). The caller frees the map. */
int pu_choice_map(struct repo *repo, struct map *map, struct err *err);

#endif
