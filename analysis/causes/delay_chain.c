/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_chain.c - culprits that waited themselves, in MPI or at the barrier of another team: the
 * threads that waited for them are an indirect cost of the thread at the end of the chain. One
 * thread; owns nothing.
 *
 *     rank 0  thread 0   |Recv ~~~~~~~~~~~~~|barrier
 *             thread 1   |barrier ~~~~~~~~~~~~~~~~~~|     charged to thread 0 in Recv: passed on
 *     rank 1             |==== compute ====|Send          gets it as an indirect cost
 *
 * It is known which part of a call or barrier was a wait, and which delays caused the waits at its
 * node. The cost is passed on to these delays in proportion. */
#include "base/muldiv.h"
#include "causes/costs_by_node.h"
#include "causes/delay.h"
#include "model/regions.h"

enum {
	STEPS_MOST = 8,     /* length of a chain */
	SHORTEST_NS = 1000, /* a smaller amount is not passed on: this bounds the work */
};

struct passing {
	const struct experiment *x;
	struct experiment_causes *causes;
	struct costs_by_node costs;
	struct map wait_by_key; /* (node, PU): index of wait_ns */
	VEC(int64_t) wait_ns;   /* how long the PU waited for others at the node */
};

static bool is_in_mpi(const struct experiment *x, uint32_t node)
{
	return node != NONE && sis_region_in(region_of_node(x, node)->type, CR_MPI);
}

static bool is_barrier(const struct experiment *x, uint32_t node)
{
	enum sis_region_type type = node == NONE ? RT_RUN : region_of_node(x, node)->type;
	return type == RT_IBAR || type == RT_EBAR;
}

static bool is_wait(enum sis_overhead leaf)
{
	return sis_overhead_in(leaf, OSYNC) || sis_overhead_in(leaf, OLOSS);
}

static void add_up_waits(struct passing *p, const struct experiment *x)
{
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		bool fresh;
		if (!is_wait(b->leaf) || !is_in_mpi(x, b->node))
			continue;
		uint32_t place = map_put(&p->wait_by_key, b->node, b->pu, p->wait_ns.n, &fresh);
		if (fresh)
			*vec_push(&p->wait_ns) = 0;
		p->wait_ns.at[place] += b->ns;
	}
}

static void passing_init(struct passing *p, const struct experiment *x,
			 struct experiment_causes *c)
{
	*p = (struct passing){ .x = x, .causes = c };
	costs_by_node_init(&p->costs, x);
	add_up_waits(p, x);
}

static void passing_release(struct passing *p)
{
	costs_by_node_release(&p->costs);
	map_free(&p->wait_by_key), vec_free(&p->wait_ns);
}

/* The part of `ns` that the processing unit waited, where it spent `ns` at the node. */
static int64_t waited_of(const struct passing *p, uint32_t node, uint32_t pu, int64_t ns)
{
	uint32_t place = map_get(&p->wait_by_key, node, pu);
	uint32_t summary = experiment_summary(p->x, node, pu);
	int64_t spent = summary == INDEX_NONE ? 0 : p->x->model.summary.at[summary].excl_ns;
	if (place == MAP_NONE || spent <= 0)
		return 0;
	int64_t wait = p->wait_ns.at[place];
	return wait < spent ? muldiv(ns, wait, spent) : ns;
}

/* Charges `ns` to the delays that caused the waits at the node. */
static void pass_on(const struct passing *p, uint32_t node, int64_t ns, int steps)
{
	int64_t all = 0;
	for (uint32_t i = p->costs.first[node]; i != NONE; i = p->costs.next[i])
		all += p->causes->delay_cost.at[i].ns;
	for (uint32_t i = p->costs.first[node]; i != NONE && all > 0; i = p->costs.next[i]) {
		struct delay_cost *cost = &p->causes->delay_cost.at[i];
		int64_t part = muldiv(ns, cost->ns, all), own = part;
		if (cost->passed_ns && cost->culprit_node != NONE && steps < STEPS_MOST &&
		    part >= SHORTEST_NS)
			own = muldiv(part, cost->ns - cost->passed_ns, cost->ns);
		cost->indirect_ns += own;
		if (own < part)
			pass_on(p, cost->culprit_node, part - own, steps + 1);
	}
}

/* The part of the cost that is due to the culprit's own wait. Between processes, delay.c has passed
 * it on already. */
static int64_t wait_in(const struct passing *p, const struct delay_cost *cost)
{
	if (cost->culprit == NONE || is_in_mpi(p->x, cost->node))
		return 0;
	if (is_in_mpi(p->x, cost->culprit_node))
		return waited_of(p, cost->culprit_node, cost->culprit, cost->ns);
	return is_barrier(p->x, cost->culprit_node) ? cost->ns : 0;
}

/* delay.c knows the single waits of a culprit with a trace, and has passed them on. */
static bool is_traced(const struct experiment *x, const struct timelines *timelines,
		      const struct delay_cost *cost)
{
	return cost->culprit != NONE &&
		timelines_whole(timelines, x->model.pu.at[cost->culprit].process);
}

void delay_costs_chain(const struct experiment *x, struct experiment_causes *c,
		       const struct timelines *timelines)
{
	struct passing p;
	passing_init(&p, x, c);
	for (size_t i = 0; i < c->delay_cost.n; i++) {
		struct delay_cost *cost = &c->delay_cost.at[i];
		int64_t waited = is_traced(x, timelines, cost) ? 0 : wait_in(&p, cost);
		if (waited > 0 && p.costs.first[cost->culprit_node] != NONE) {
			cost->passed_ns = waited;
			pass_on(&p, cost->culprit_node, waited, 1);
		}
	}
	passing_release(&p);
}
