/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_times.h - makes estimated times of sampled regions fit each other. */
#ifndef SIS_ANALYSIS_SAMPLED_TIMES_H
#define SIS_ANALYSIS_SAMPLED_TIMES_H

#include "model/experiment.h"

/* Changes `own`, the measured inclusive times of the process's nodes. It changes those of nodes
 * that are `estimated`, so that no node has less time than its children. */
void sampled_settle(const struct process *process, const bool *estimated, int64_t *own);

#endif
