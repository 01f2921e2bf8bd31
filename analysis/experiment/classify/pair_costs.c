/* SPDX-License-Identifier: BSD-3-Clause */
/* pair_costs.c - computes the cost of the probes of each node. For each rung, this is the number of
 * activations that began at the rung, times the cost of a pair of probes. The process measured the
 * cost of a pair at its start. The cost of a timed pair depends on the length of the activation.
 * Called by one thread; owns nothing. */
#include "experiment/classify/pair_costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/model/regions.h"

enum { AROUND_MOST = 8 };

/* Costs of one pair of probes. A pair that is not timed (below, ask_below) costs as much inside as
 * outside. */
struct prices {
	struct pair_cost full, mpi, below[SIS_RUNGS - 1];
	struct pair_cost ask, ask_below; /* of a poll of MPI that is timed; not timed */
	struct pair_cost task; /* of a task of libgomp, without the probes of its body */
	struct pair_cost entry; /* of an entry that is_counted, in a node of the runtime */
	/* of a timed pair around work of `body` ns; in the order of `body` */
	struct { double body; struct pair_cost price; } around[AROUND_MOST];
	size_t arounds;
};

static bool are_costs(double a, double b) { return a >= 0 && b >= 0 && a + b < 1e6; }

/* Reads two numbers of a text. Returns false if they are missing or impossible. */
static bool read_two(const char *text, double *a, double *b)
{
	return text && sscanf(text, "%lf\t%lf", a, b) == 2 && are_costs(*a, *b);
}

/* Reads the costs of timed pairs around work. Skips lines with impossible numbers, and lengths that
 * do not increase. */
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

static void add_price(struct pair_cost *to, double times, struct pair_cost price)
{
	to->inside += times * price.inside;
	to->outside += times * price.outside;
}

/* Whether all entries of the node are counted, but few are timed
 * (rtlib/adapters/omp/uncontended.h). This holds for the runtime's nodes of locks, critical
 * constructs and atomics, and for nodes of the runtime that have no measured time, such as waits of
 * a team with one thread. */
static bool is_counted(const struct profile *p, uint32_t n, enum sis_region_type type)
{
	const struct profile_node *node = &p->node.at[n];
	bool of_runtime = sis_region_table[type].name[0] == 'R';
	return type == RT_LOCK || type == RT_CRITICAL || type == RT_ATOMIC ||
	       (of_runtime && node->total == 0);
}

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
	/* the mean length of the work between the two probes of an activation */
	double ns = (double)p->node.at[n].total * 1e9 / (double)p->head.ticks_per_second,
	       body = ns / (double)p->node.at[n].calls - price->full.inside;
	return price_around(price, body > 0 ? body : 0);
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
	for (size_t i = 0; i < p->estimate.n; i++) { /* activations at lower rungs */
		const struct profile_estimate *e = &p->estimate.at[i];
		for (int r = 0; r < SIS_RUNGS - 1; r++) {
			add_price(&cost[e->node], (double)e->below[r],
				  asks[e->node] ? price.ask_below : price.below[r]);
			left[e->node] -= (double)e->below[r];
		}
	}
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		const struct region *region = region_of_node(x, process->global[n]);
		/* if the call of a lock is a region of the source, the lock has no separate node of
		 * the runtime */
		if (region->type == CR_OMPLOCK)
			add_price(&cost[n], (double)p->node.at[n].calls, price.entry);
		if (region->type == CR_OMPTASKBODY || region->type == RT_TASK)
			add_price(&cost[n], (double)p->node.at[n].calls, price.task);
		if (is_counted(p, n, region->type))
			add_price(&cost[n], (double)p->node.at[n].calls, price.entry);
		else if (left[n] > 0)
			add_price(&cost[n], left[n], price_of_full(p, n, region, &price));
	}
	free(asks);
	free(left);
	return cost;
}
