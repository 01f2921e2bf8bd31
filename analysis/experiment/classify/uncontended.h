/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.h - the cost of synchronizing operations that find no contention. */
#ifndef SIS_ANALYSIS_UNCONTENDED_H
#define SIS_ANALYSIS_UNCONTENDED_H

#include "experiment/model/experiment.h"

/* For each node of the process, the part of its time that is the cost of synchronizing operations
 * and no wait. `probes`: the cost of probes of each node in ns. The caller frees the result. */
int64_t *uncontended_costs(const struct experiment *x, const struct process *process,
			   const double *probes);

#endif
