/* SPDX-License-Identifier: BSD-3-Clause */
/* lost_metrics.h - metrics that some threads could not read for a time (texts of kind `lost`). The
 * sums of these metrics are wrong. */
#ifndef SIS_ANALYSIS_LOST_METRICS_H
#define SIS_ANALYSIS_LOST_METRICS_H

#include "experiment/model/experiment.h"

/* length: of the metric's name; metric and why point into the profile */
struct loss { uint32_t slot; const char *metric, *why; size_t length; };
typedef VEC(struct loss) losses;

void losses_read(losses *all, const struct profile *p);
bool lost_metrics_contain(const losses *all, uint32_t slot, const char *metric, size_t length);
/* Warns of lost metrics, and of counts that are estimates. */
void lost_metrics_warn(const struct process *process, warning_list *warnings);

#endif
