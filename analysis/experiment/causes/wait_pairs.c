/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_pairs.c - keeps the pairs of victims and culprits. Called by one thread; owns
 * causes.wait_pair.
 *
 * If a thread waits for another process, the idle PUs of its process wait for the same culprit
 * (idle_waits.h). At first, the thread's pair has the sum of the idle PUs' times. At the end,
 * wait_pairs_divide divides this sum among the idle PUs, in proportion to the bookings of
 * experiment/classify/idle.c. */
#include "experiment/causes/wait_pairs.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "base/sort.h"

void wait_pair_add(struct experiment_causes *c, struct delay_cost *cost, uint32_t victim,
		   int64_t ns, int64_t idle_ns)
{
	bool fresh;
	cost->ns += ns + idle_ns;
	if (cost->culprit_node == NONE || ns + idle_ns == 0)
		return;
	uint32_t i = map_put(&c->wait_pair_by_key, (uint64_t)(cost - c->delay_cost.at), victim,
			     c->wait_pair.n, &fresh);
	if (fresh)
		*vec_push(&c->wait_pair) = (struct wait_pair){
			.cost = (uint32_t)(cost - c->delay_cost.at),
			.victim = victim,
		};
	c->wait_pair.at[i].ns += ns + idle_ns;
	c->wait_pair.at[i].idle_ns += idle_ns;
}

/* -- dividing the time of idle PUs ------------------------------------------------------------- */

typedef VEC(struct wait_pair) wait_pairs;
typedef VEC(struct booking) bookings;

static int by_node_leaf_and_pu(const void *va, const void *vb)
{
	const struct booking *a = va, *b = vb;
	return ORDER(a->node, b->node) ?: ORDER(a->leaf, b->leaf) ?: ORDER(a->pu, b->pu);
}

/* Moves the idle time of the pair to new pairs of the idle PUs of its process. If no such PUs are
 * known, the time stays with the victim. */
static void divide_idle(const struct experiment *x, const bookings *idle,
			const struct delay_cost *cost, struct wait_pair *pair, wait_pairs *list)
{
	const struct process *p = &x->model.process.at[x->model.pu.at[pair->victim].process];
	const struct booking from = { cost->node, p->first_pu, cost->leaf, 0 },
			     to = { cost->node, p->first_pu + p->slots, cost->leaf, 0 };
	size_t first = search_first(i, 0, idle->n, by_node_leaf_and_pu(&idle->at[i], &from) < 0),
	       end = search_first(i, first, idle->n, by_node_leaf_and_pu(&idle->at[i], &to) < 0);
	int64_t all = 0, left = pair->idle_ns;
	for (size_t i = first; i < end; i++)
		all += idle->at[i].ns;
	for (size_t i = first; i < end && all > 0; i++) {
		int64_t part = i + 1 < end ? muldiv(pair->idle_ns, idle->at[i].ns, all) : left;
		left -= part;
		*vec_push(list) = (struct wait_pair){ pair->cost, idle->at[i].pu, part, 0 };
	}
	pair->ns -= pair->idle_ns - left;
	pair->idle_ns = 0;
}

/* -- order and number of pairs ----------------------------------------------------------------- */

static int by_cost(const void *va, const void *vb)
{
	const struct wait_pair *a = va, *b = vb;
	return ORDER(a->cost, b->cost) ?: ORDER(a->victim, b->victim);
}

/* Adds up pairs with the same key, and drops pairs whose time is 0. */
static void merge_pairs(wait_pairs *list)
{
	size_t n = 0;
	vec_sort(list, by_cost);
	for (size_t i = 0; i < list->n; i++) {
		if (n && by_cost(&list->at[n - 1], &list->at[i]) == 0)
			list->at[n - 1].ns += list->at[i].ns;
		else if (n && list->at[n - 1].ns == 0)
			list->at[n - 1] = list->at[i];
		else
			list->at[n++] = list->at[i];
	}
	list->n = n && list->at[n - 1].ns == 0 ? n - 1 : n;
}

static int largest_first(const void *va, const void *vb)
{
	return -ORDER(*(const int64_t *)va, *(const int64_t *)vb);
}

/* The pairs are in the order of their costs. To sort the pairs by key, the costs are sorted, and
 * then the pairs of each cost are copied. */
struct cost_order { const struct delay_cost *cost; size_t first, end; };

static int by_key(const void *va, const void *vb)
{
	const struct cost_order *a = va, *b = vb;
	return ORDER(a->cost->node, b->cost->node) ?: ORDER(a->cost->leaf, b->cost->leaf) ?:
		ORDER(a->cost->culprit, b->cost->culprit) ?:
		ORDER(a->cost->culprit_node, b->cost->culprit_node);
}

static void keep_by_key(struct experiment_causes *c, const wait_pairs *list)
{
	c->wait_pair.n = 0;
	VEC(struct cost_order) order = { 0 };
	for (size_t first = 0, end; first < list->n; first = end) {
		uint32_t cost = list->at[first].cost;
		for (end = first + 1; end < list->n && list->at[end].cost == cost;)
			end++;
		*vec_push(&order) = (struct cost_order){ &c->delay_cost.at[cost], first, end };
	}
	vec_sort(&order, by_key);
	for (size_t i = 0; i < order.n; i++)
		for (size_t k = order.at[i].first; k < order.at[i].end; k++)
			*vec_push(&c->wait_pair) = list->at[k];
	vec_free(&order);
}

void wait_pairs_divide(const struct experiment *x, struct experiment_causes *c)
{
	bookings idle = { 0 };
	wait_pairs list = { 0 };
	for (size_t i = 0; i < x->classify.idle_wait.n; i++)
		*vec_push(&idle) = x->classify.idle_wait.at[i];
	vec_sort(&idle, by_node_leaf_and_pu);
	for (size_t i = 0; i < c->wait_pair.n; i++) {
		struct wait_pair pair = c->wait_pair.at[i];
		if (pair.idle_ns > 0)
			divide_idle(x, &idle, &c->delay_cost.at[pair.cost], &pair, &list);
		*vec_push(&list) = pair;
	}
	vec_free(&idle);
	map_free(&c->wait_pair_by_key);
	merge_pairs(&list);
	c->wait_pair.n = 0;
	for (size_t i = 0; i < list.n; i++)
		*vec_push(&c->wait_pair) = list.at[i];
	vec_free(&list);
}

void wait_pairs_order(struct experiment_causes *c, size_t most)
{
	wait_pairs list = { 0 };
	for (size_t i = 0; i < c->wait_pair.n; i++)
		*vec_push(&list) = c->wait_pair.at[i];
	merge_pairs(&list);
	if (list.n > most) { /* the small pairs lose their victim, and are merged */
		VEC(int64_t) ns = { 0 };
		for (size_t i = 0; i < list.n; i++)
			*vec_push(&ns) = list.at[i].ns;
		vec_sort(&ns, largest_first);
		for (size_t i = 0; i < list.n; i++)
			if (list.at[i].ns <= ns.at[most])
				list.at[i].victim = NONE;
		vec_free(&ns);
		merge_pairs(&list);
	}
	keep_by_key(c, &list);
	vec_free(&list);
}

void wait_pairs_finish(const struct experiment *x, struct experiment_causes *c, size_t most)
{
	wait_pairs_divide(x, c);
	wait_pairs_order(c, most);
}

/* -- pairs by node and PU ---------------------------------------------------------------------- */

void pairs_by_node_init(struct pairs_by_node *p, const struct experiment_causes *c)
{
	*p = (struct pairs_by_node){ .next = mem_alloc(c->wait_pair.n + 1, sizeof *p->next) };
	for (size_t i = 0; i < c->wait_pair.n; i++) {
		const struct wait_pair *pair = &c->wait_pair.at[i];
		bool fresh;
		uint32_t list = map_put(&p->list_by_node, c->delay_cost.at[pair->cost].node,
					pair->victim, p->first.n, &fresh);
		if (fresh)
			*vec_push(&p->first) = NONE;
		p->next[i] = p->first.at[list];
		p->first.at[list] = (uint32_t)i;
	}
}

uint32_t pairs_at(const struct pairs_by_node *p, uint32_t node, uint32_t pu)
{
	uint32_t list = map_get(&p->list_by_node, node, pu);
	return list == MAP_NONE ? NONE : p->first.at[list];
}

void pairs_by_node_release(struct pairs_by_node *p)
{
	map_free(&p->list_by_node), vec_free(&p->first), free(p->next);
}
