/* SPDX-License-Identifier: BSD-3-Clause */
/* budget.h - decides which regions are measured less, so that probes take only a given part of the
 * CPU time, and when these regions are measured better again. The functions only compute with
 * numbers that the caller measured, so any thread may call them.
 *
 *                       cost of the probes, as part of the CPU time
 *      limit      5 %   if the cost is above the limit, items are turned down until the cost is
 *      down to    4 %   80 % of the limit
 *      back below 2.5 % if the cost is less than half of the limit, items are turned up until the
 *      up to      3.5 % cost is 70 % of the limit
 *
 * Nothing is turned up for some time after the last change. This time is a second at first, and
 * doubles with each turn down, up to a minute. So the rungs follow the phases of a program. If a
 * program returns to an earlier phase again and again, its rungs hardly change any more in the end.
 *
 * Items that save most are turned down first, and all items of one rung before any item of the next
 * rung. If one item went down all rungs at once, it would be off while other items, which give as
 * little information, are still timed each time.
 */
#ifndef SIS_BUDGET_H
#define SIS_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* -- how much ---------------------------------------------------------------------------------- */

struct sis_budget {
	double limit;       /* part of the CPU time, for example 0.05 */
	uint64_t wait_ns;   /* from the last change to the next turn up, at least */
	uint64_t changed_ns;/* when something was turned last */
};

void sis__budget_init(struct sis_budget *budget, double limit, uint64_t now_ns);
/* The part of the CPU time by which the cost should change. Negative: something must be turned
 * down. Positive: something may be turned up. 0: nothing changes. */
double sis__budget_change(struct sis_budget *budget, double cost, uint64_t now_ns);
/* Notes that something was turned down or up. */
void sis__budget_turned(struct sis_budget *budget, bool down, uint64_t now_ns);

/* A mean over intervals, in which later intervals count more. `before` < 0: this is the first
 * interval. */
static inline double sis__budget_mean(double before, double window)
{
	return before < 0 ? window : (before + window) / 2;
}

/* -- which ones --------------------------------------------------------------------------------
 *
 * Items are ranked by how much the cost changes if they are turned. This takes two passes over the
 * items and no sorting. The first pass adds each item to a class of items with similar changes. The
 * second pass takes whole classes, and a part of one class.
 *
 *      for each item: sis__ranking_add(&ranking, change);
 *      sis__ranking_cut_largest(&ranking, amount);         or sis__ranking_cut_smallest
 *      for each item: if (sis__ranking_takes(&ranking, change)) turn it;
 */
enum { SIS_RANKS = 256 };
struct sis_ranking {
	double sum[SIS_RANKS];
	unsigned cut;       /* the class of which only a part is taken */
	double rest;        /* the changes that are still to be taken from this class */
	bool largest_first;
};

void sis__ranking_begin(struct sis_ranking *ranking);
/* Adds an item. `change` is a part of the CPU time. Items that change next to nothing are not
 * ranked. */
void sis__ranking_add(struct sis_ranking *ranking, double change);
/* Takes the largest changes until their sum is `amount`; the last one may exceed it. Returns
 * `amount`, or the sum of all changes if this is less. */
double sis__ranking_cut_largest(struct sis_ranking *ranking, double amount);
/* Takes the smallest changes, as long as their sum is at most `amount`. */
void sis__ranking_cut_smallest(struct sis_ranking *ranking, double amount);
bool sis__ranking_takes(struct sis_ranking *ranking, double change);

/* -- items -------------------------------------------------------------------------------------
 *
 * An item is a call path or a region. A rung is a number: 0 is measured best and costs most.
 */
enum { SIS_BUDGET_OFF = 3, SIS_BUDGET_RUNGS };

struct sis_budget_item {
	double rate;           /* activations per ns of CPU time; < 0: not known yet */
	uint8_t rung, lowest;  /* its rung, and the lowest rung that saves something */
	uint8_t least;         /* set by the caller: the lowest rung that is allowed */
	/* The item is a call of MPI that only asks, in which its thread waits. At the lowest rung
	 * the item's cost is not counted, because it would be useless to turn down other items for
	 * this cost. */
	bool waits;
	bool may_turn;         /* set by the caller */
};
struct sis_budget_items {
	struct sis_budget_item *item;
	size_t count;
	struct sis_budget_items *next; /* NULL: the last */
};
typedef double sis_budget_costs[SIS_BUDGET_RUNGS]; /* ns per activation, by rung */

/* Returns the cost of all activations, as part of the CPU time. */
double sis__budget_cost(const struct sis_budget_items *items, const sis_budget_costs cost);
/* Turns items of rung `from` down by one rung until they save `amount`. Returns how much of
 * `amount` is still missing. */
double sis__budget_down(const struct sis_budget_items *items, const sis_budget_costs cost,
			unsigned from, double amount);
/* Turns items of rung `from` up by one rung, as long as this adds no more than `amount` to the
 * cost. Returns how much of `amount` is left. */
double sis__budget_up(const struct sis_budget_items *items, const sis_budget_costs cost,
		      unsigned from, double amount);
/* Calls sis__budget_down for rungs 0 to `lowest`, one after the other, until `amount` is saved.
 * Returns how much is still missing. */
double sis__budget_all_down(const struct sis_budget_items *items, const sis_budget_costs cost,
			    unsigned lowest, double amount);
/* Calls sis__budget_up from rung `lowest` to 0, as long as there is room. Returns how much room is
 * left. */
double sis__budget_all_up(const struct sis_budget_items *items, const sis_budget_costs cost,
			  unsigned lowest, double room);

#pragma GCC visibility pop
#endif
