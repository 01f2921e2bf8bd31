/* SPDX-License-Identifier: BSD-3-Clause */
/* counted_costs.h - leaves that are counted, not timed (schema/costs.def): the number of events
 * times the cost of one is taken from useful work. */
#ifndef SIS_ANALYSIS_COUNTED_COSTS_H
#define SIS_ANALYSIS_COUNTED_COSTS_H

#include "model/experiment.h"

/* Moves time out of `useful`, the useful work of each node of the process, to these leaves. */
void charge_counted(struct experiment *x, const struct process *process, int64_t *useful);
/* Warns of each counted leaf, with the cost that was used for one event. Called after all
 * processes. */
void warn_counted(struct experiment *x);

#endif
