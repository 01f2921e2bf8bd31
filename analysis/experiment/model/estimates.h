/* SPDX-License-Identifier: BSD-3-Clause */
/* estimates.h - times of nodes whose activations were not all timed, and the errors of these times
 * (schema/profile.h, "Estimates"). */
#ifndef SIS_ANALYSIS_ESTIMATES_H
#define SIS_ANALYSIS_ESTIMATES_H

#include "experiment/model/experiment.h"

/* With a probability of 95 %, the true time differs from the estimate by at most this number of
 * standard deviations. */
#define ESTIMATE_95 1.96

/* Adds the time that samples stand for to `own`, the inclusive times of the process's nodes. Marks
 * the nodes with estimated times in `estimated`. */
void estimates_add(const struct process *process, bool *estimated, int64_t *own);
/* Computes the variances (ns^2) of the inclusive and exclusive times. Does nothing if all times are
 * exact. */
void estimates_errors(struct process *process);

#endif
