/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_costs.h - the costs of delays within an interval of the run: which waits were in it, and
 * who caused them, then or before. Needs a trace. */
#ifndef SIS_ANALYSIS_INTERVAL_COSTS_H
#define SIS_ANALYSIS_INTERVAL_COSTS_H

#include "causes/cost_pieces.h"
#include "causes/interval_leaves.h"

/* Cuts delay_cost and wait_pair of x->causes to the interval. `i` has the pieces that were found
 * with them, `leaves` the leaves of the interval. Time without pieces is cut in the same proportion
 * as the rest of the victim's leaf in the node. The costs of intervals that follow each other add
 * up, but for rounding. If the interval is the whole run, the costs stay the same. */
void interval_costs_finish(const struct cost_pieces *i, const struct experiment *x,
			   struct experiment_causes *c, const struct interval_leaves *leaves);

#endif
