/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_unlocated.c - delay costs whose culprit is known but not its region: spread over that
 * process's regions. One thread; owns causes.unlocated.
 *
 * If a process was late often, after intervals too short to be examined one by one, it was most
 * likely late in the regions where it spent more time than the other processes. The costs go there;
 * without such regions they are spread over all its regions. No region is charged with more than
 * the law allows (law.h). The rest goes to the root, which stands for what is not recorded. */
#include "base/sort.h"
#include "causes/delay.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "causes/law.h"
#include "causes/wait_pairs.h"
#include "model/regions.h"

struct own { uint32_t pu, node; int64_t ns; };
struct spread {
	const struct experiment *x;
	struct experiment_causes *causes;
	VEC(struct own) own;     /* times outside of MPI, by unit */
	int64_t *of_all;         /* by node: of the processes' initial threads together */
};

static int by_pu(const void *va, const void *vb)
{
	const struct own *a = va, *b = vb;
	return a->pu != b->pu ? (a->pu > b->pu) - (a->pu < b->pu) :
				(a->node > b->node) - (a->node < b->node);
}

static void list_own(struct spread *s)
{
	const struct experiment *x = s->x;
	for (size_t i = 0; i < x->model.summary.n; i++) {
		const struct summary *m = &x->model.summary.at[i];
		if (m->excl_ns <= 0 ||
		    sis_region_in(region_of_node(x, m->node)->type, CR_MPI))
			continue;
		*vec_push(&s->own) = (struct own){ .pu = m->pu, .node = m->node, .ns = m->excl_ns };
		s->of_all[m->node] += x->model.pu.at[m->pu].slot == 0 ? m->excl_ns : 0;
	}
	vec_sort(&s->own, by_pu);
}

static int64_t weight(const struct spread *s, const struct own *own, bool excess)
{
	int64_t mean = s->of_all[own->node] / (int64_t)s->x->model.process.n;
	return !excess ? own->ns : own->ns > mean ? own->ns - mean : 0;
}

static size_t first_of(const struct spread *s, uint32_t pu)
{
	size_t low = 0, high = s->own.n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (s->own.at[middle].pu < pu)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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

/* What the law allows of the part. */
static struct unlocated_cost limit(const struct spread *s, const struct unlocated_cost *part,
				   const struct own *own)
{
	int64_t allowed = law_allowed(s->x, part->victim, own->pu, own->node, part->ns);
	return allowed == part->ns ? *part : part_of(part, allowed, part->ns);
}

/* Moves the part from the cost to one of the culprit's nodes. */
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
	size_t first = first_of(s, cost.culprit), end;
	int64_t all[2] = { 0 };
	for (end = first; end < s->own.n && s->own.at[end].pu == cost.culprit; end++) {
		all[0] += weight(s, &s->own.at[end], false);
		all[1] += weight(s, &s->own.at[end], true);
	}
	bool excess = all[1] > 0;
	struct unlocated_cost left = *whole;
	for (size_t i = first; i < end && all[excess] > 0; i++) {
		int64_t w = weight(s, &s->own.at[i], excess);
		struct unlocated_cost part = part_of(whole, w, all[excess]);
		if (w == 0)
			continue;
		locate(s, &cost, &left, limit(s, &part, &s->own.at[i]), s->own.at[i].node);
	}
	locate(s, &cost, &left, left, s->x->model.root);
}

void delay_costs_unlocated(const struct experiment *x, struct experiment_causes *c)
{
	struct spread s = { .x = x, .causes = c };
	uint32_t nodes = x->model.node.n;
	s.of_all = mem_alloc(nodes, sizeof *s.of_all);
	list_own(&s);
	for (size_t i = 0; i < c->unlocated.n; i++)
		distribute_ns(&s, &c->unlocated.at[i]);
	for (size_t i = 0; i < c->unlocated.n; i++) {
		struct delay_cost *cost = &c->delay_cost.at[c->unlocated.at[i].cost];
		/* no row any more */
		cost->ns = cost->indirect_ns = cost->wrong_order_ns = cost->estimated_ns = 0;
	}
	vec_free(&c->unlocated), map_free(&c->unlocated_by_key);
	vec_free(&s.own);
	free(s.of_all);
}
