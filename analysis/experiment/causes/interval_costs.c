/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_costs.c - finds the costs of delays in an interval of the run. Called by one thread;
 * owns nothing.
 *
 * A cost is the sum of its pairs. A pair is the sum of pieces of single waits, and of a rest. It is
 * not known when the time of the rest was. The rest contains idle time of units while another unit
 * worked, waits that the runtime reported as a sum, and causes that were not located. If a wait is
 * cut at the border, each of its pieces is cut in the same proportion, no matter when the culprit
 * fell behind.
 *
 *     pair                    whole run    interval
 *     pieces of waits         3 s          2 s        known
 *     the rest                2 s          1 s        like the rest of the leaf, below
 *
 *     leaf of the victim      10 s         6 s        6 s of interval_leaves.h
 *     pieces of all its pairs 6 s          4 s
 *     the rest                4 s          2 s
 *
 * So if the causes of all time of a leaf are known, the causes of the leaf's part in the interval
 * are known, too. */
#include "experiment/causes/interval_costs.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/causes/delay.h"
#include "experiment/causes/wait_pairs.h"

/* -- costs of pieces --------------------------------------------------------------------------- */

/* Adds the parts of the pieces between the two times to the costs in `c`. */
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

/* -- times of a victim in a node, on one leaf -------------------------------------------------- */

/* leaf: time of the leaf in the run; known: time of its pieces; *_part: these in the interval */
struct leaf_time { int64_t leaf, leaf_part, known, known_part; };
struct leaf_times { struct map by_key; VEC(struct leaf_time) time; };

static struct leaf_time *leaf_time_at(struct leaf_times *p, uint32_t node, enum sis_overhead leaf,
				      uint32_t pu)
{
	bool fresh;
	uint32_t i = map_put(&p->by_key, (uint64_t)node * SIS_OVERHEADS + leaf, pu, p->time.n,
			     &fresh);
	if (fresh)
		*vec_push(&p->time) = (struct leaf_time){ 0 };
	return &p->time.at[i];
}

static struct leaf_time *leaf_time_of(struct leaf_times *p, const struct experiment_causes *c,
				      const struct wait_pair *pair)
{
	const struct delay_cost *cost = &c->delay_cost.at[pair->cost];
	return leaf_time_at(p, cost->node, cost->leaf, pair->victim);
}

static void find_leaf_times(struct leaf_times *p, const struct experiment *x,
			    const struct interval_leaves *leaves,
			    const struct experiment_causes *timed,
			    const struct experiment_causes *within)
{
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		leaf_time_at(p, b->node, b->leaf, b->pu)->leaf += b->ns;
	}
	for (size_t i = 0; i < leaves->leaf.n; i++) {
		const struct interval_leaf *l = &leaves->leaf.at[i];
		if (l->leaf != O_NONE)
			leaf_time_at(p, l->node, l->leaf, l->pu)->leaf_part += l->ns;
	}
	for (size_t i = 0; i < timed->wait_pair.n; i++)
		leaf_time_of(p, timed, &timed->wait_pair.at[i])->known += timed->wait_pair.at[i].ns;
	for (size_t i = 0; i < within->wait_pair.n; i++)
		leaf_time_of(p, within, &within->wait_pair.at[i])->known_part +=
			within->wait_pair.at[i].ns;
}

/* The part of `ns` that is in the interval. `ns` is time without pieces. */
static int64_t part_of_rest(const struct leaf_time *p, int64_t ns)
{
	int64_t rest = p->leaf - p->known, part = p->leaf_part - p->known_part;
	if (rest <= 0)
		return p->leaf > 0 ? muldiv(ns, p->leaf_part, p->leaf) : 0;
	return part <= 0 ? 0 : muldiv(ns, part < rest ? part : rest, rest);
}

/* -- pairs in the interval --------------------------------------------------------------------- */

/* The index in `c` of the cost with the same key as `cost`; MAP_NONE if there is none. */
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

/* The nanoseconds of the pair in `c` that has this cost and victim. wait_pairs_divide has sorted
 * the pairs. */
static int64_t pair_in(const struct experiment_causes *c, const struct delay_cost *cost,
		       uint32_t victim)
{
	const struct wait_pair key = { .cost = cost_in(c, cost), .victim = victim }, *at;
	at = c->wait_pair.at;
	size_t n = c->wait_pair.n, i = search_first(k, 0, n, by_cost(&at[k], &key) < 0);
	return i < n && by_cost(&at[i], &key) == 0 ? at[i].ns : 0;
}

/* Cuts the pairs to the interval. `sum` gets the sum of each cost's pairs. */
static void cut_pairs(struct experiment_causes *c, struct leaf_times *times,
		      const struct experiment_causes *timed, const struct experiment_causes *within,
		      int64_t *sum)
{
	for (size_t i = 0; i < c->wait_pair.n; i++) {
		struct wait_pair *pair = &c->wait_pair.at[i];
		const struct delay_cost *cost = &c->delay_cost.at[pair->cost];
		int64_t rest = pair->ns - pair_in(timed, cost, pair->victim);
		const struct leaf_time *time = leaf_time_of(times, c, pair);
		pair->ns = pair_in(within, cost, pair->victim) +
			(rest > 0 ? part_of_rest(time, rest) : 0);
		sum[pair->cost] += pair->ns;
	}
}

/* -- costs in the interval --------------------------------------------------------------------- */

/* Indirect costs of pieces. all_ns: all of them; within_ns: those that are due to waits within the
 * interval. */
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

void interval_costs_finish(const struct cost_pieces *i, const struct experiment *x,
			   struct experiment_causes *c, const struct interval_leaves *leaves)
{
	struct experiment_causes timed = { 0 }, within = { 0 };
	struct leaf_times times = { .time = { 0 } };
	struct indirect *indirect = list_indirect(i, c);
	int64_t *sum = mem_alloc(c->delay_cost.n + 1, sizeof *sum);
	add_up(&timed, i, INT64_MIN, INT64_MAX);
	add_up(&within, i, i->from, i->to);
	wait_pairs_divide(x, c);
	wait_pairs_divide(x, &timed);
	wait_pairs_divide(x, &within);
	find_leaf_times(&times, x, leaves, &timed, &within);
	cut_pairs(c, &times, &timed, &within, sum);
	for (size_t k = 0; k < c->delay_cost.n; k++) {
		struct delay_cost *d = &c->delay_cost.at[k];
		int64_t ns = sum[k], all = d->ns, rest = d->indirect_ns - indirect[k].all_ns;
		d->ns = ns;
		d->indirect_ns = indirect[k].within_ns + (all > 0 ? muldiv(rest, ns, all) : 0);
		d->passed_ns = all > 0 ? muldiv(d->passed_ns, ns, all) : 0;
		d->wrong_order_ns = all > 0 ? muldiv(d->wrong_order_ns, ns, all) : 0;
		d->estimated_ns = all > 0 ? muldiv(d->estimated_ns, ns, all) : 0;
		d->no_processor_ns = all > 0 ? muldiv(d->no_processor_ns, ns, all) : 0;
	}
	wait_pairs_order(c, WAIT_PAIRS_MOST);
	map_free(&times.by_key), vec_free(&times.time);
	causes_release(&timed), causes_release(&within);
	free(indirect), free(sum);
}
