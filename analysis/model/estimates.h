/* SPDX-License-Identifier: BSD-3-Clause */
/* estimates.h - times of nodes whose activations were not all timed, and the errors of these times
 * (schema/profile.h, "Estimates"). */
#ifndef SIS_ANALYSIS_ESTIMATES_H
#define SIS_ANALYSIS_ESTIMATES_H

#include "model/experiment.h"

/* Half of the width of the interval that has the true time with 95 %, in standard deviations. */
#define ESTIMATE_95 1.96

/* Adds the samples' time to `own`, the inclusive times of the process's nodes, and marks the nodes
 * in `estimated`. */
void estimates_add(const struct process *process, bool *estimated, int64_t *own);
/* The variances (ns^2) of the inclusive and exclusive times. Does nothing if all are exact. */
void estimates_errors(struct process *process);

#endif
