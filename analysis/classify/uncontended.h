/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.h - the cost of synchronizing operations that find no contention. */
#ifndef SIS_ANALYSIS_UNCONTENDED_H
#define SIS_ANALYSIS_UNCONTENDED_H

#include "model/experiment.h"

/* For each node of the process: the part of its time that is the cost of operations, not a wait.
 * The caller frees it. */
int64_t *uncontended_costs(const struct experiment *x, const struct process *process);

#endif
