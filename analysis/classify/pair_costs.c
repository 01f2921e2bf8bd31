/* SPDX-License-Identifier: BSD-3-Clause */
/* pair_costs.c - what the probes of each node cost: its activations, by the rung at which they
 * began, times what a pair of probes costs there. The process measured that cost at its start. The
 * cost of a timed pair depends on the length of the activation. One thread; owns nothing. */
#include "classify/pair_costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/regions.h"

enum { AROUND_MOST = 8 };

/* Of one pair. Half of the cost of a pair that is not timed is inside. */
struct prices {
	struct pair_cost full, mpi, below[SIS_RUNGS - 1];
	struct pair_cost ask, ask_below; /* of a call of MPI that only asks */
	struct pair_cost task; /* of a task of libgomp's, beside those of its body's probes */
	struct pair_cost entry; /* of a node of the runtime that is counted, and seldom timed */
	/* of a timed pair around work of `body` ns; by length */
	struct { double body; struct pair_cost price; } around[AROUND_MOST];
	size_t arounds;
};

static bool are_costs(double a, double b) { return a >= 0 && b >= 0 && a + b < 1e6; }

/* Two numbers of a text; false: it has none, or impossible ones. */
static bool read_two(const char *text, double *a, double *b)
{
	return text && sscanf(text, "%lf\t%lf", a, b) == 2 && are_costs(*a, *b);
}

/* Skips lines with impossible numbers, and lengths that do not increase. */
static void read_around(struct prices *prices, const struct profile *p)
{
	double last = 0, body;
	struct pair_cost price;
	for (size_t i = 0; i < p->text.n && prices->arounds < AROUND_MOST; i++) {
		if (strcmp(p->text.at[i].kind, "pair_around") != 0 ||
		    sscanf(p->text.at[i].text, "%lf\t%lf\t%lf", &body, &price.inside,
			   &price.outside) != 3 ||
		    !(body > last && body < 1e9) || !are_costs(price.inside, price.outside))
			continue;
		prices->around[prices->arounds].body = last = body;
		prices->around[prices->arounds++].price = price;
	}
}

/* The cost of a timed pair around work of `body` ns, interpolated between the measured lengths. */
static struct pair_cost price_around(const struct prices *prices, double body)
{
	struct pair_cost low = prices->full;
	double from = 0;
	for (size_t i = 0; i < prices->arounds; i++) {
		double to = prices->around[i].body;
		struct pair_cost high = prices->around[i].price;
		if (body < to) {
			double part = (body - from) / (to - from);
			return (struct pair_cost){ low.inside + part * (high.inside - low.inside),
						   low.outside +
							   part * (high.outside - low.outside) };
		}
		from = to;
		low = high;
	}
	return low;
}

static struct prices prices_of(const struct profile *p)
{
	struct pair_cost full = { p->head.probe_inner_ns, p->head.probe_outer_ns };
	struct prices prices = {
		.full = full, .mpi = full, .below = { full, full }, .entry = { 0, 0 },
		.ask = full, .ask_below = full, .task = { 0, 0 }
	};
	double a, b, c;
	read_around(&prices, p);
	if (read_two(profile_first_text(p, "mpi_call"), &a, &b))
		prices.mpi = (struct pair_cost){ a, b };
	if (read_two(profile_first_text(p, "pair"), &a, &b)) {
		prices.below[SIS_RUNG_FRACTION - 1] = (struct pair_cost){ a / 2, a / 2 };
		prices.below[SIS_RUNG_SAMPLED - 1] = (struct pair_cost){ b / 2, b / 2 };
		prices.entry = (struct pair_cost){ 0, b };
	}
	const char *task = profile_first_text(p, "task");
	double body = prices.below[SIS_RUNG_FRACTION - 1].inside * 2;
	if (task && sscanf(task, "%lf", &a) == 1 && are_costs(a, 0) && a > body)
		prices.task = (struct pair_cost){ (a - body) / 2, (a - body) / 2 };
	const char *ask = profile_first_text(p, "mpi_ask");
	if (read_two(ask, &a, &b) && sscanf(ask, "%*s %*s %lf", &c) == 1 && are_costs(c, 0)) {
		prices.ask = (struct pair_cost){ a, b };
		prices.ask_below = (struct pair_cost){ c / 2, c / 2 };
	}
	return prices;
}

static void add(struct pair_cost *to, double times, struct pair_cost price)
{
	to->inside += times * price.inside;
	to->outside += times * price.outside;
}

/* Adds the costs of activations at lower rungs, and takes these from those that are left. */
static void add_below(const struct profile *p, const struct prices *price, const bool *asks,
		      struct pair_cost *cost, double *left)
{
	for (size_t i = 0; i < p->estimate.n; i++) {
		const struct profile_estimate *e = &p->estimate.at[i];
		for (int r = 0; r < SIS_RUNGS - 1; r++) {
			add(&cost[e->node], (double)e->below[r],
			    asks[e->node] ? price->ask_below : price->below[r]);
			left[e->node] -= (double)e->below[r];
		}
	}
}

/* The mean length, in ns, of the work between the two probes of an activation. */
static double mean_body(const struct profile *p, uint32_t n, const struct prices *price)
{
	double ns = (double)p->node.at[n].total * 1e9 / (double)p->head.ticks_per_second;
	double mean = ns / (double)p->node.at[n].calls - price->full.inside;
	return mean > 0 ? mean : 0;
}

/* Whether the entries of the node are counted, and seldom timed (rtlib/omp/uncontended.h): its own
 * functions of OpenMP, and waits of a team of one. */
static bool is_counted(const struct profile *p, uint32_t n, enum sis_region_type type)
{
	const struct profile_node *node = &p->node.at[n];
	bool of_runtime = sis_region_table[type].name[0] == 'R';
	return type == RT_LOCK || type == RT_CRITICAL || type == RT_ATOMIC ||
	       (of_runtime && node->total == 0);
}

/* A lock whose call is a region of the source has no node of the runtime. */
static bool has_entries(enum sis_region_type type) { return type == CR_OMPLOCK; }

static bool only_asks(const struct region *region)
{
	return region->routine && sis_region_in(region->type, CR_MPI) &&
	       sis_mpi_only_asks(region->routine->match);
}

static struct pair_cost price_of_full(const struct profile *p, uint32_t n,
				      const struct region *region, const struct prices *price)
{
	if (only_asks(region))
		return price->ask;
	if (sis_region_in(region->type, CR_MPI))
		return price->mpi;
	return price_around(price, mean_body(p, n, price));
}

struct pair_cost *pair_costs(const struct experiment *x, const struct process *process)
{
	const struct profile *p = &process->profile;
	struct pair_cost *cost = mem_alloc(p->node.n, sizeof *cost);
	double *left = mem_alloc(p->node.n, sizeof *left);
	bool *asks = mem_alloc(p->node.n, sizeof *asks);
	struct prices price = prices_of(p);
	for (size_t n = 0; n < p->node.n; n++)
		left[n] = (double)p->node.at[n].calls;
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		asks[n] = only_asks(region_of_node(x, process->global[n]));
	}
	add_below(p, &price, asks, cost, left);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		const struct region *region = region_of_node(x, process->global[n]);
		if (has_entries(region->type))
			add(&cost[n], (double)p->node.at[n].calls, price.entry);
		if (region->type == CR_OMPTASKBODY || region->type == RT_TASK)
			add(&cost[n], (double)p->node.at[n].calls, price.task);
		if (is_counted(p, n, region->type))
			add(&cost[n], (double)p->node.at[n].calls, price.entry);
		else if (left[n] > 0)
			add(&cost[n], left[n], price_of_full(p, n, region, &price));
	}
	free(asks);
	free(left);
	return cost;
}
