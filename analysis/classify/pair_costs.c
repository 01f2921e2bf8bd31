/* SPDX-License-Identifier: BSD-3-Clause */
/* pair_costs.c - what the probes of each node cost: its activations, by the rung at which they
 * began, times what a pair of probes costs there, as the process measured it at its start. One
 * thread; owns nothing. */
#include "classify/pair_costs.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/regions.h"

/* Of one pair. Half of the cost of a pair that is not timed is inside. */
struct prices { struct pair_cost full, mpi, below[SIS_RUNGS - 1]; };

/* Two numbers of a text; false: it has none, or impossible ones. */
static bool read_two(const char *text, double *a, double *b)
{
	return text && sscanf(text, "%lf\t%lf", a, b) == 2 && *a >= 0 && *b >= 0 && *a + *b < 1e6;
}

static struct prices prices_of(const struct profile *p)
{
	struct pair_cost full = { p->head.probe_inner_ns, p->head.probe_outer_ns };
	struct prices prices = { full, full, { full, full } };
	double a, b;
	if (read_two(profile_first_text(p, "mpi_call"), &a, &b))
		prices.mpi = (struct pair_cost){ a, b };
	if (read_two(profile_first_text(p, "pair"), &a, &b)) {
		prices.below[SIS_RUNG_FRACTION - 1] = (struct pair_cost){ a / 2, a / 2 };
		prices.below[SIS_RUNG_SAMPLED - 1] = (struct pair_cost){ b / 2, b / 2 };
	}
	return prices;
}

static void add(struct pair_cost *to, double times, struct pair_cost price)
{
	to->inside += times * price.inside;
	to->outside += times * price.outside;
}

/* Adds the costs of activations at lower rungs, and takes these from those that are left. */
static void add_below(const struct profile *p, const struct prices *price, struct pair_cost *cost,
		      double *left)
{
	for (size_t i = 0; i < p->estimate.n; i++) {
		const struct profile_estimate *e = &p->estimate.at[i];
		for (int r = 0; r < SIS_RUNGS - 1; r++) {
			add(&cost[e->node], (double)e->below[r], price->below[r]);
			left[e->node] -= (double)e->below[r];
		}
	}
}

struct pair_cost *pair_costs(const struct experiment *x, const struct process *process)
{
	const struct profile *p = &process->profile;
	struct pair_cost *cost = mem_alloc(p->node.n, sizeof *cost);
	double *left = mem_alloc(p->node.n, sizeof *left);
	struct prices price = prices_of(p);
	for (size_t n = 0; n < p->node.n; n++)
		left[n] = (double)p->node.at[n].calls;
	add_below(p, &price, cost, left);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		const struct region *region = region_of_node(x, process->global[n]);
		bool wrapped = sis_region_in(region->type, CR_MPI);
		if (left[n] > 0)
			add(&cost[n], left[n], wrapped ? price.mpi : price.full);
	}
	free(left);
	return cost;
}
