/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_costs.h - the costs of delays within an interval of the run: which waits were in it, and
 * who caused them, then or before. Needs a trace. */
#ifndef SIS_ANALYSIS_INTERVAL_COSTS_H
#define SIS_ANALYSIS_INTERVAL_COSTS_H

#include "causes/cost_pieces.h"
#include "causes/interval_leaves.h"

/* Makes delay_cost and wait_pair of x->causes those of the interval. They were found with these
 * pieces; `leaves` are those of the interval. What has no pieces is divided as the leaf of the
 * victim in the node is. Costs of intervals that follow each other add up, but for rounding; those
 * of the whole run are what they were. */
void interval_costs_finish(const struct cost_pieces *i, const struct experiment *x,
			   struct experiment_causes *c, const struct interval_leaves *leaves);

#endif
