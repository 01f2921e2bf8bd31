/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_times.h - corrects estimated times, so that no node has less time than its children. */
#ifndef SIS_ANALYSIS_SAMPLED_TIMES_H
#define SIS_ANALYSIS_SAMPLED_TIMES_H

#include "experiment/model/experiment.h"

/* Changes `own`, the measured inclusive times of the process's nodes, but only those of nodes that
 * are `estimated`. */
void sampled_settle(const struct process *process, const bool *estimated, int64_t *own);

#endif
