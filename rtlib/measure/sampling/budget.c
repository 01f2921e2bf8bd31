/* SPDX-License-Identifier: BSD-3-Clause */
/* budget.c - see budget.h. Pure functions; any thread. */
#include "measure/sampling/budget.h"

#include <string.h>

#define SECOND UINT64_C(1000000000)
#define DOWN_TO 0.8 /* of the limit */
#define BACK_BELOW 0.5
#define UP_TO 0.7
#define LEAST 1e-6  /* an item is not turned if it changes less of the CPU time ... */
#define PART 5e-4   /* ... or less than this part of the change that is needed */

enum { LONGEST_WAIT = 60 /* seconds */ };

/* -- how much ---------------------------------------------------------------------------------- */

void sis__budget_init(struct sis_budget *budget, double limit, uint64_t now_ns)
{
	*budget = (struct sis_budget){ limit, SECOND, now_ns };
}

double sis__budget_change(struct sis_budget *budget, double cost, uint64_t now_ns)
{
	if (cost > budget->limit)
		return DOWN_TO * budget->limit - cost;
	if (cost < BACK_BELOW * budget->limit && now_ns - budget->changed_ns >= budget->wait_ns)
		return UP_TO * budget->limit - cost;
	return 0;
}

void sis__budget_turned(struct sis_budget *budget, bool down, uint64_t now_ns)
{
	budget->changed_ns = now_ns;
	if (down && budget->wait_ns < LONGEST_WAIT * SECOND)
		budget->wait_ns *= 2;
	if (budget->wait_ns > LONGEST_WAIT * SECOND)
		budget->wait_ns = LONGEST_WAIT * SECOND;
}

/* -- which ones -------------------------------------------------------------------------------- */

/* Returns the class of a change: its exponent and the three highest bits of its fraction. So there
 * are eight classes for each power of two. */
static unsigned class_of(double change)
{
	enum { FRACTION_BITS = 52, KEPT = 3, LOWEST = (1023 - 24) << KEPT };
	uint64_t bits;
	memcpy(&bits, &change, sizeof bits);
	uint64_t class = bits >> (FRACTION_BITS - KEPT);
	if (class < LOWEST)
		return 0;
	return class - LOWEST < SIS_RANKS ? (unsigned)(class - LOWEST) : SIS_RANKS - 1;
}

void sis__ranking_begin(struct sis_ranking *ranking)
{
	memset(ranking, 0, sizeof *ranking);
}

void sis__ranking_add(struct sis_ranking *ranking, double change)
{
	if (change >= LEAST)
		ranking->sum[class_of(change)] += change;
}

double sis__ranking_cut_largest(struct sis_ranking *ranking, double amount)
{
	double taken = 0;
	unsigned class = SIS_RANKS;
	while (class > 0 && taken + ranking->sum[class - 1] < amount)
		taken += ranking->sum[--class];
	ranking->largest_first = true;
	ranking->cut = class > 0 ? class - 1 : 0;
	ranking->rest = class > 0 ? amount - taken : ranking->sum[0];
	return class > 0 ? amount : taken;
}

void sis__ranking_cut_smallest(struct sis_ranking *ranking, double amount)
{
	double taken = 0;
	unsigned class = 0;
	while (class < SIS_RANKS && taken + ranking->sum[class] <= amount)
		taken += ranking->sum[class++];
	ranking->largest_first = false;
	ranking->cut = class;
	ranking->rest = amount - taken;
}

bool sis__ranking_takes(struct sis_ranking *ranking, double change)
{
	if (change < LEAST)
		return !ranking->largest_first;
	unsigned class = class_of(change);
	if (class != ranking->cut)
		return (class > ranking->cut) == ranking->largest_first;
	if (ranking->rest <= 0 || (!ranking->largest_first && change > ranking->rest))
		return false;
	ranking->rest -= change;
	return true;
}

/* -- items ------------------------------------------------------------------------------------- */

#define EACH(items, list, at)                                             \
	for (const struct sis_budget_items *list = items; list; list = list->next) \
		for (struct sis_budget_item *at = list->item; at < list->item + list->count; at++)

/* Returns what an item costs at a rung. An item in which its thread waits costs nothing at its
 * lowest rung. */
static double cost_at(const struct sis_budget_item *item, const sis_budget_costs cost,
		      unsigned rung)
{
	double rate = item->rate > 0 ? item->rate : 0;
	return item->waits && rung >= item->lowest ? 0 : rate * cost[rung];
}

double sis__budget_cost(const struct sis_budget_items *items, const sis_budget_costs cost)
{
	double sum = 0;
	EACH(items, list, item)
		sum += cost_at(item, cost, item->rung);
	return sum;
}

/* Returns what an item saves if it goes down by one rung from `from`. */
static double saved_by(const struct sis_budget_item *item, const sis_budget_costs cost,
		       unsigned from)
{
	return cost_at(item, cost, from) - cost_at(item, cost, from + 1);
}

static bool may_go_down(const struct sis_budget_item *item, const sis_budget_costs cost,
			unsigned from, double amount)
{
	return item->rung == from && item->lowest > from &&
	       saved_by(item, cost, from) >= PART * amount;
}

double sis__budget_down(const struct sis_budget_items *items, const sis_budget_costs cost,
			unsigned from, double amount)
{
	struct sis_ranking ranking;
	double done = 0;
	sis__ranking_begin(&ranking);
	EACH(items, list, item)
		if (may_go_down(item, cost, from, amount))
			sis__ranking_add(&ranking, saved_by(item, cost, from));
	sis__ranking_cut_largest(&ranking, amount);
	EACH(items, list, item)
		if (may_go_down(item, cost, from, amount) &&
		    sis__ranking_takes(&ranking, saved_by(item, cost, from))) {
			item->rung++;
			done += saved_by(item, cost, from);
		}
	return done < amount ? amount - done : 0;
}

double sis__budget_up(const struct sis_budget_items *items, const sis_budget_costs cost,
		      unsigned from, double amount)
{
	struct sis_ranking ranking;
	sis__ranking_begin(&ranking);
	EACH(items, list, item)
		if (item->rung == from)
			sis__ranking_add(&ranking, saved_by(item, cost, from - 1));
	sis__ranking_cut_smallest(&ranking, amount);
	EACH(items, list, item) {
		double added = saved_by(item, cost, from - 1);
		if (item->rung == from && sis__ranking_takes(&ranking, added)) {
			item->rung--;
			amount -= added;
		}
	}
	return amount;
}

double sis__budget_all_down(const struct sis_budget_items *items, const sis_budget_costs cost,
			    unsigned lowest, double amount)
{
	for (unsigned rung = 0; amount > 0 && rung < lowest; rung++)
		amount = sis__budget_down(items, cost, rung, amount);
	return amount;
}

double sis__budget_all_up(const struct sis_budget_items *items, const sis_budget_costs cost,
			  unsigned lowest, double room)
{
	for (unsigned rung = lowest; room > 0 && rung > 0; rung--)
		room = sis__budget_up(items, cost, rung, room);
	return room;
}
