/* SPDX-License-Identifier: BSD-3-Clause */
/* switched.h - what rules, commands and the program itself switched off for a part of the run. */
#ifndef SIS_ANALYSIS_SWITCHED_H
#define SIS_ANALYSIS_SWITCHED_H

#include "experiment/model/experiment.h"

/* Adds the things that were switched off in a process. `by_id`: see regions_add. */
void switched_add(struct experiment_model *m, const struct process *process, struct map *by_id,
		  warning_list *warnings);

#endif
