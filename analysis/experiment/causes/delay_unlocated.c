/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_unlocated.c - distributes a delay cost over the culprit's regions if the culprit is known,
 * but not the region in which the culprit was. Called by one thread; owns causes.unlocated.
 *
 * A process may have been late many times, each time after a period that was too short to be
 * examined. Most likely it was late in the regions in which it spent more time than the average
 * process. These regions are charged. If there are none, all regions of the culprit are charged. No
 * region is charged with more than the law allows (law.h). The rest is charged to the root, which
 * stands for what is not recorded. */
#include "base/sort.h"
#include "experiment/causes/delay.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "experiment/causes/law.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment/model/regions.h"

struct own { uint32_t pu, node; int64_t ns; };
struct spread {
	const struct experiment *x;
	struct experiment_causes *causes;
	VEC(struct own) own;     /* times outside of MPI, by unit */
	int64_t *of_all;         /* by node: sum of the times of the processes' initial threads */
};

static int by_pu(const void *va, const void *vb)
{
	const struct own *a = va, *b = vb;
	return a->pu != b->pu ? (a->pu > b->pu) - (a->pu < b->pu) :
				(a->node > b->node) - (a->node < b->node);
}

static int64_t weight(const struct spread *s, const struct own *own, bool excess)
{
	int64_t mean = s->of_all[own->node] / (int64_t)s->x->model.process.n;
	return !excess ? own->ns : own->ns > mean ? own->ns - mean : 0;
}

static struct unlocated_cost part_of(const struct unlocated_cost *whole, int64_t part, int64_t all)
{
	return (struct unlocated_cost){
		.victim = whole->victim,
		.ns = muldiv(whole->ns, part, all),
		.cost_ns = muldiv(whole->cost_ns, part, all),
		.indirect_ns = muldiv(whole->indirect_ns, part, all),
		.wrong_order_ns = muldiv(whole->wrong_order_ns, part, all),
	};
}

/* Charges the part to one of the culprit's nodes, and subtracts it from `left`. */
static void locate(const struct spread *s, const struct delay_cost *cost,
		   struct unlocated_cost *left, struct unlocated_cost part, uint32_t node)
{
	if (!part.cost_ns && !part.indirect_ns)
		return;
	struct delay_cost *to = delay_cost_at(s->causes, cost->node, cost->leaf, cost->culprit,
					      node);
	law_charge(s->x, s->causes, part.victim, cost->culprit, node, part.ns);
	left->ns -= part.ns;
	wait_pair_add(s->causes, to, part.victim, part.ns, part.cost_ns - part.ns);
	left->cost_ns -= part.cost_ns;
	to->indirect_ns += part.indirect_ns, left->indirect_ns -= part.indirect_ns;
	to->wrong_order_ns += part.wrong_order_ns, left->wrong_order_ns -= part.wrong_order_ns;
	to->estimated_ns += part.cost_ns;
}

static void distribute_ns(const struct spread *s, const struct unlocated_cost *whole)
{
	const struct delay_cost cost = s->causes->delay_cost.at[whole->cost];
	size_t first = search_first(i, 0, s->own.n, s->own.at[i].pu < cost.culprit), end;
	int64_t all[2] = { 0 };
	for (end = first; end < s->own.n && s->own.at[end].pu == cost.culprit; end++) {
		all[0] += weight(s, &s->own.at[end], false);
		all[1] += weight(s, &s->own.at[end], true);
	}
	bool excess = all[1] > 0;
	struct unlocated_cost left = *whole;
	for (size_t i = first; i < end && all[excess] > 0; i++) {
		const struct own *own = &s->own.at[i];
		int64_t w = weight(s, own, excess);
		struct unlocated_cost part = part_of(whole, w, all[excess]);
		if (w == 0)
			continue;
		int64_t allowed = law_allowed(s->x, part.victim, own->pu, own->node, part.ns);
		if (allowed != part.ns)
			part = part_of(&part, allowed, part.ns);
		locate(s, &cost, &left, part, own->node);
	}
	locate(s, &cost, &left, left, s->x->model.root);
}

void delay_costs_unlocated(const struct experiment *x, struct experiment_causes *c)
{
	struct spread s = { .x = x, .causes = c };
	uint32_t nodes = x->model.node.n;
	s.of_all = mem_alloc(nodes, sizeof *s.of_all);
	for (size_t i = 0; i < x->model.summary.n; i++) {
		const struct summary *m = &x->model.summary.at[i];
		if (m->excl_ns <= 0 || sis_region_in(region_of_node(x, m->node)->type, CR_MPI))
			continue;
		*vec_push(&s.own) = (struct own){ .pu = m->pu, .node = m->node, .ns = m->excl_ns };
		s.of_all[m->node] += x->model.pu.at[m->pu].slot == 0 ? m->excl_ns : 0;
	}
	vec_sort(&s.own, by_pu);
	for (size_t i = 0; i < c->unlocated.n; i++)
		distribute_ns(&s, &c->unlocated.at[i]);
	for (size_t i = 0; i < c->unlocated.n; i++) {
		struct delay_cost *cost = &c->delay_cost.at[c->unlocated.at[i].cost];
		/* a cost that is zero gets no row in the repository */
		cost->ns = cost->indirect_ns = cost->wrong_order_ns = cost->estimated_ns = 0;
	}
	vec_free(&c->unlocated), map_free(&c->unlocated_by_key);
	vec_free(&s.own);
	free(s.of_all);
}
