/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_costs.h - the costs of delays of an interval of the run: which waits were in the
 * interval, and what had caused these waits, in the interval or before it. Needs a trace. */
#ifndef SIS_ANALYSIS_INTERVAL_COSTS_H
#define SIS_ANALYSIS_INTERVAL_COSTS_H

#include "experiment/causes/cost_pieces.h"
#include "experiment/causes/interval_leaves.h"

/* Cuts delay_cost and wait_pair of x->causes to the interval. `i` has the pieces of these costs,
 * `leaves` the leaves of the interval. A cost may have time that is in no piece. This time is cut
 * in the same proportion as all such time of the victim in the same node and leaf. The costs of
 * consecutive intervals add up, but for rounding. If the interval is the whole run, the costs stay
 * the same. */
void interval_costs_finish(const struct cost_pieces *i, const struct experiment *x,
			   struct experiment_causes *c, const struct interval_leaves *leaves);

#endif
