/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_costs.c - see interval_costs.h. One thread; owns nothing.
 *
 * A cost is the sum of its pairs. A pair is the sum of pieces of single waits and of a rest whose
 * times are not known: idle units that wait for another one to work, waits that the runtime
 * reported as a sum, and causes that were not located. If a wait is cut at the border, each of its
 * pieces is cut in the same proportion, no matter when the culprit fell behind.
 *
 *     pair                    whole run    interval
 *     pieces of waits         3 s          2 s        known
 *     the rest                2 s          1 s        like the rest of the leaf, below
 *
 *     leaf of the victim      10 s         6 s        6 s of interval_leaves.h
 *     pieces of all its pairs 6 s          4 s
 *     the rest                4 s          2 s
 *
 * So if the causes of a whole leaf are known, they are known of its part in the interval. */
#include "causes/interval_costs.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "causes/delay.h"
#include "causes/wait_pairs.h"

/* -- pieces ------------------------------------------------------------------------------------ */

/* Books the parts of the pieces from `from` to `to` as costs. */
static void add_up(struct experiment_causes *c, const struct cost_pieces *i, int64_t from,
		   int64_t to)
{
	for (size_t k = 0; k < i->piece.n; k++) {
		const struct cost_piece *p = &i->piece.at[k];
		struct delay_cost *cost = delay_cost_at(c, p->node, p->leaf, p->culprit,
							p->culprit_node);
		wait_pair_add(c, cost, p->victim, cost_piece_part(p, p->ns, from, to),
			      cost_piece_part(p, p->idle_ns, from, to));
	}
}

/* -- places: a victim in a node, on one leaf --------------------------------------------------- */

struct place { int64_t leaf, leaf_part, known, known_part; };
struct places { struct map by_key; VEC(struct place) place; };

static struct place *place_at(struct places *p, uint32_t node, enum sis_overhead leaf, uint32_t pu)
{
	bool fresh;
	uint32_t i = map_put(&p->by_key, (uint64_t)node * SIS_OVERHEADS + leaf, pu, p->place.n,
			     &fresh);
	if (fresh)
		*vec_push(&p->place) = (struct place){ 0 };
	return &p->place.at[i];
}

static struct place *place_of(struct places *p, const struct experiment_causes *c,
			      const struct wait_pair *pair)
{
	const struct delay_cost *cost = &c->delay_cost.at[pair->cost];
	return place_at(p, cost->node, cost->leaf, pair->victim);
}

static void find_places(struct places *p, const struct experiment *x,
			const struct interval_leaves *leaves, const struct experiment_causes *timed,
			const struct experiment_causes *within)
{
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		place_at(p, b->node, b->leaf, b->pu)->leaf += b->ns;
	}
	for (size_t i = 0; i < leaves->leaf.n; i++) {
		const struct interval_leaf *l = &leaves->leaf.at[i];
		if (l->leaf != O_NONE)
			place_at(p, l->node, l->leaf, l->pu)->leaf_part += l->ns;
	}
	for (size_t i = 0; i < timed->wait_pair.n; i++)
		place_of(p, timed, &timed->wait_pair.at[i])->known += timed->wait_pair.at[i].ns;
	for (size_t i = 0; i < within->wait_pair.n; i++)
		place_of(p, within, &within->wait_pair.at[i])->known_part +=
			within->wait_pair.at[i].ns;
}

/* The part of a time without pieces. */
static int64_t part_of_rest(const struct place *p, int64_t ns)
{
	int64_t rest = p->leaf - p->known, part = p->leaf_part - p->known_part;
	if (rest <= 0)
		return p->leaf > 0 ? muldiv(ns, p->leaf_part, p->leaf) : 0;
	return part <= 0 ? 0 : muldiv(ns, part < rest ? part : rest, rest);
}

/* -- pairs ------------------------------------------------------------------------------------- */

/* The same cost in another list; MAP_NONE. */
static uint32_t cost_in(const struct experiment_causes *c, const struct delay_cost *cost)
{
	return map_get(&c->delay_cost_by_key, (uint64_t)cost->node * SIS_OVERHEADS + cost->leaf,
		       (uint64_t)cost->culprit << 32 | cost->culprit_node);
}

static int by_cost(const void *va, const void *vb)
{
	const struct wait_pair *a = va, *b = vb;
	return ORDER(a->cost, b->cost) ?: ORDER(a->victim, b->victim);
}

/* Nanoseconds of the same pair in a list that wait_pairs_divide has sorted. */
static int64_t pair_in(const struct experiment_causes *c, const struct delay_cost *cost,
		       uint32_t victim)
{
	const struct wait_pair key = { .cost = cost_in(c, cost), .victim = victim }, *at;
	at = c->wait_pair.at;
	size_t n = c->wait_pair.n, i = search_first(k, 0, n, by_cost(&at[k], &key) < 0);
	return i < n && by_cost(&at[i], &key) == 0 ? at[i].ns : 0;
}

/* Makes the pairs those of the interval. *sum: of the pairs, by cost. */
static void cut_pairs(struct experiment_causes *c, struct places *places,
		      const struct experiment_causes *timed, const struct experiment_causes *within,
		      int64_t *sum)
{
	for (size_t i = 0; i < c->wait_pair.n; i++) {
		struct wait_pair *pair = &c->wait_pair.at[i];
		const struct delay_cost *cost = &c->delay_cost.at[pair->cost];
		int64_t rest = pair->ns - pair_in(timed, cost, pair->victim);
		const struct place *place = place_of(places, c, pair);
		pair->ns = pair_in(within, cost, pair->victim) +
			(rest > 0 ? part_of_rest(place, rest) : 0);
		sum[pair->cost] += pair->ns;
	}
}

/* -- costs ------------------------------------------------------------------------------------- */

/* Indirect costs of pieces, in the whole run and because of waits within the interval. */
struct indirect { int64_t all_ns, within_ns; };

static struct indirect *list_indirect(const struct cost_pieces *i,
				      const struct experiment_causes *c)
{
	struct indirect *list = mem_alloc(c->delay_cost.n + 1, sizeof *list);
	for (size_t k = 0; k < i->piece.n; k++) {
		const struct cost_piece *p = &i->piece.at[k];
		const struct delay_cost key = { .node = p->node, .leaf = p->leaf,
						.culprit = p->culprit,
						.culprit_node = p->culprit_node };
		struct indirect *to = &list[cost_in(c, &key)];
		to->all_ns += p->indirect_ns;
		to->within_ns += p->indirect_within_ns;
	}
	return list;
}

static void cut_cost(struct delay_cost *cost, int64_t ns, const struct indirect *indirect)
{
	int64_t all = cost->ns, rest = cost->indirect_ns - indirect->all_ns;
	cost->ns = ns;
	cost->indirect_ns = indirect->within_ns + (all > 0 ? muldiv(rest, ns, all) : 0);
	cost->passed_ns = all > 0 ? muldiv(cost->passed_ns, ns, all) : 0;
	cost->wrong_order_ns = all > 0 ? muldiv(cost->wrong_order_ns, ns, all) : 0;
	cost->estimated_ns = all > 0 ? muldiv(cost->estimated_ns, ns, all) : 0;
	cost->no_processor_ns = all > 0 ? muldiv(cost->no_processor_ns, ns, all) : 0;
}

void interval_costs_finish(const struct cost_pieces *i, const struct experiment *x,
			   struct experiment_causes *c, const struct interval_leaves *leaves)
{
	struct experiment_causes timed = { 0 }, within = { 0 };
	struct places places = { .place = { 0 } };
	struct indirect *indirect = list_indirect(i, c);
	int64_t *sum = mem_alloc(c->delay_cost.n + 1, sizeof *sum);
	add_up(&timed, i, INT64_MIN, INT64_MAX);
	add_up(&within, i, i->from, i->to);
	wait_pairs_divide(x, c);
	wait_pairs_divide(x, &timed);
	wait_pairs_divide(x, &within);
	find_places(&places, x, leaves, &timed, &within);
	cut_pairs(c, &places, &timed, &within, sum);
	for (size_t k = 0; k < c->delay_cost.n; k++)
		cut_cost(&c->delay_cost.at[k], sum[k], &indirect[k]);
	wait_pairs_order(c, WAIT_PAIRS_MOST);
	map_free(&places.by_key), vec_free(&places.place);
	causes_release(&timed), causes_release(&within);
	free(indirect), free(sum);
}
