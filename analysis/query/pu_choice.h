/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_choice.h - the processing units that a user names. */
#ifndef SIS_ANALYSIS_PU_CHOICE_H
#define SIS_ANALYSIS_PU_CHOICE_H

#include "base/map.h"
#include "repository/repository.h"

struct pu_pattern { int64_t process, thread; }; /* -1: any */
typedef VEC(struct pu_pattern) pu_patterns;

/* Whether a processing unit matches a pattern; if there is none, all do. */
bool pu_patterns_match(const pu_patterns *patterns, int64_t process, int64_t thread);
/* Makes temp.chosen_pu(pu), which replaces that of an earlier choice: the processing units of an
 * experiment that match a pattern, and all of them if there is no pattern. A pattern that none
 * matches is an error. *n: how many there are. */
int pu_choice_load(struct repo *repo, int64_t experiment, const pu_patterns *patterns, int64_t *n,
		   struct err *err);
/* The ids in temp.chosen_pu, as keys (id, 0). The caller frees the map. */
int pu_choice_map(struct repo *repo, struct map *map, struct err *err);

#endif
