/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_chain.c - follows chains of waits: if the culprit of a wait waited itself, the wait becomes
 * an indirect cost of the PU at the end of the chain. Called by one thread; owns nothing.
 *
 *     rank 0  thread 0   |Recv ~~~~~~~~~~~~~|barrier
 *             thread 1   |barrier ~~~~~~~~~~~~~~~~~~|     charged to thread 0 in Recv: passed on
 *     rank 1             |==== compute ====|Send          gets it as an indirect cost
 *
 * The wait pairs say for which culprits a PU waited at a node. By waiting at this node, the PU
 * caused a cost to other PUs. This cost is passed on to these culprits in proportion to the pairs.
 * In processes with a trace, delay.c has already done this for each single wait. */
#include <stdlib.h>

#include "base/muldiv.h"
#include "experiment/causes/delay.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment/model/regions.h"

enum {
	STEPS_MOST = 8,     /* limits a chain of two threads that waited for each other in turn */
	SHORTEST_NS = 1000, /* a smaller amount is not passed on, to bound the work */
};

struct passing {
	const struct experiment *x;
	struct experiment_causes *causes;
	const struct timelines *timelines;
	struct pairs_by_node pairs;
};

static bool is_in_mpi(const struct experiment *x, uint32_t node)
{
	return sis_region_in(region_of_node(x, node)->type, CR_MPI);
}

static struct delay_cost *cost_of(const struct passing *p, uint32_t pair)
{
	return &p->causes->delay_cost.at[p->causes->wait_pair.at[pair].cost];
}

/* How long the pair's victim itself waited for another PU; 0 if the victim is its own culprit,
 * because it lacked a processor. */
static int64_t own_wait(const struct passing *p, uint32_t pair)
{
	const struct wait_pair *w = &p->causes->wait_pair.at[pair];
	return cost_of(p, pair)->culprit == w->victim ? 0 : w->ns - w->idle_ns;
}

/* How long the cost's culprit waited in culprit_node for known culprits. */
static int64_t told_ns(const struct passing *p, const struct delay_cost *cost)
{
	int64_t ns = 0;
	if (cost->culprit == NONE || cost->culprit_node == NONE)
		return 0;
	for (uint32_t i = pairs_at(&p->pairs, cost->culprit_node, cost->culprit); i != NONE;
	     i = p->pairs.next[i])
		ns += own_wait(p, i);
	return ns;
}

/* The part of the cost that is due to the culprit's own waits and must be passed on here. */
static int64_t waited_ns(const struct passing *p, const struct delay_cost *cost)
{
	const struct experiment *x = p->x;
	int64_t told = told_ns(p, cost), ns = cost->ns - cost->no_processor_ns;
	if (told <= 0 || timelines_whole(p->timelines, x->model.pu.at[cost->culprit].process) ||
	    (is_in_mpi(x, cost->node) && is_in_mpi(x, cost->culprit_node)))
		return 0; /* nothing must be passed on, or delay.c has already done this */
	if (delay_is_at_barrier(x, cost->culprit_node))
		return ns;
	uint32_t summary = experiment_summary(x, cost->culprit_node, cost->culprit);
	int64_t spent = summary == INDEX_NONE ? 0 : x->model.summary.at[summary].excl_ns;
	return told < spent ? muldiv(ns, told, spent) : ns;
}

/* Adds `ns` as indirect costs to the causes of the waits of the culprit of `of`. */
static void pass_on(const struct passing *p, const struct delay_cost *of, int64_t ns, int steps)
{
	int64_t all = told_ns(p, of);
	for (uint32_t i = pairs_at(&p->pairs, of->culprit_node, of->culprit); i != NONE && all > 0;
	     i = p->pairs.next[i]) {
		struct delay_cost *cost = cost_of(p, i);
		int64_t part = muldiv(ns, own_wait(p, i), all), further = 0;
		if (cost->passed_ns && steps < STEPS_MOST && part >= SHORTEST_NS &&
		    told_ns(p, cost) > 0)
			further = muldiv(part, cost->passed_ns, cost->ns);
		cost->indirect_ns += part - further;
		if (further)
			pass_on(p, cost, further, steps + 1);
	}
}

void delay_costs_chain(const struct experiment *x, struct experiment_causes *c,
		       const struct timelines *timelines)
{
	struct passing p = { .x = x, .causes = c, .timelines = timelines };
	int64_t *passed = mem_alloc(c->delay_cost.n + 1, sizeof *passed);
	pairs_by_node_init(&p.pairs, c);
	for (size_t i = 0; i < c->delay_cost.n; i++) {
		struct delay_cost *cost = &c->delay_cost.at[i];
		int64_t waited = waited_ns(&p, cost);
		if (waited <= 0)
			continue;
		int64_t indirect = muldiv(cost->indirect_ns, waited, cost->ns);
		passed[i] = waited + indirect;
		cost->indirect_ns -= indirect;
		cost->passed_ns = cost->passed_ns < waited ? waited : cost->passed_ns;
	}
	for (size_t i = 0; i < c->delay_cost.n; i++)
		if (passed[i] > 0)
			pass_on(&p, &c->delay_cost.at[i], passed[i], 1);
	free(passed);
	pairs_by_node_release(&p.pairs);
}
