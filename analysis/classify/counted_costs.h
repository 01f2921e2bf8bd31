/* counted_costs.h - leaves that are counted, not timed (schema/costs.def): number of events times the cost of one,
 * taken from useful work. */
#ifndef SIS_ANALYSIS_COUNTED_COSTS_H
#define SIS_ANALYSIS_COUNTED_COSTS_H

#include "model/experiment.h"

/* Moves time of the process's nodes out of `useful`, which is each node's, to these leaves. */
void charge_counted(struct experiment *x, const struct process *process, int64_t *useful);
/* Says of each leaf there is what was taken for one event; once all processes are done. */
void warn_counted(struct experiment *x);
/* How such a warning begins, with the leaf's name. */
#define COST_WARNING "%s is an estimate: "

#endif
