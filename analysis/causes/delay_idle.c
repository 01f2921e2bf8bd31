/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_idle.c - the costs of delays to PUs that were idle: classify/idle.c found which PU worked
 * meanwhile, and where. One thread; owns nothing. */
#include "causes/delay.h"

#include "causes/wait_pairs.h"

void delay_costs_of_idle(const struct experiment *x, struct experiment_causes *c)
{
	for (size_t i = 0; i < x->classify.idle_cost.n; i++) {
		const struct idle_cost *idle = &x->classify.idle_cost.at[i];
		struct delay_cost *cost = delay_cost_at(c, idle->node, idle->leaf, idle->culprit,
							idle->node);
		wait_pair_add(c, cost, idle->pu, idle->ns, 0);
	}
}
