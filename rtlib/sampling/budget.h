/* SPDX-License-Identifier: BSD-3-Clause */
/* budget.h - decides what to measure less so that probes take no more than a part of the CPU time,
 * and when to measure it again. Pure functions over numbers that the caller measured: any thread.
 *
 *                       cost of the probes, as part of the CPU time
 *      limit      5 %   above it something is turned down, until the cost is
 *      down to    4 %   80 % of the limit. It may stay anywhere below the limit; but
 *      back below 2.5 % if it is less than half of it, something is turned up, until it is
 *      up to      3.5 % 70 % of the limit
 *
 * Nothing is turned up for a time after the last change. That time begins at a second, and doubles
 * with each turn down, up to a minute. So a program with phases is followed, and one that comes
 * back to its first phase again and again is left alone in the end.
 *
 * Items that save most are turned down first, and all items of one rung before any of the next
 * rung. If one item went through all rungs at once, it would be off while other items, which tell
 * as little, are still timed each time.
 */
#ifndef SIS_BUDGET_H
#define SIS_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* -- how much ---------------------------------------------------------------------------------- */

struct sis_budget {
	double limit;       /* part of the CPU time, 0.05 */
	uint64_t wait_ns;   /* before the next turn up */
	uint64_t changed_ns;/* when something was turned last */
};

void sis__budget_init(struct sis_budget *budget, double limit, uint64_t now_ns);
/* The part of the CPU time by which the cost should change: negative, something is to be turned
 * down; positive, something may be turned up; 0, all stays. */
double sis__budget_change(struct sis_budget *budget, double cost, uint64_t now_ns);
/* What was turned, down or up. */
void sis__budget_turned(struct sis_budget *budget, bool down, uint64_t now_ns);

/* A mean of windows, of which later ones count more. `before` < 0: this is the first. */
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
	unsigned cut;       /* the class that is taken in part */
	double rest;        /* how much of it */
	bool largest_first;
};

void sis__ranking_begin(struct sis_ranking *ranking);
/* `change`: part of the CPU time. Those that change next to nothing are not ranked. */
void sis__ranking_add(struct sis_ranking *ranking, double change);
/* Takes the largest until they change `amount` together, and the last one may exceed it; returns
 * what they change at most. */
double sis__ranking_cut_largest(struct sis_ranking *ranking, double amount);
/* Takes the smallest that change no more than `amount` together. */
void sis__ranking_cut_smallest(struct sis_ranking *ranking, double amount);
bool sis__ranking_takes(struct sis_ranking *ranking, double change);

/* -- items -------------------------------------------------------------------------------------
 *
 * An item is a call path or a region. A rung is a number: 0 is measured best and costs most.
 */
enum { SIS_BUDGET_OFF = 3, SIS_BUDGET_RUNGS };

struct sis_budget_item {
	double rate;           /* visits in a nanosecond of CPU time; < 0: not known yet */
	uint8_t rung, lowest;  /* where it is, and the lowest that saves something */
	uint8_t least;         /* the caller's: the lowest that is allowed */
	/* its thread waits meanwhile: at the lowest rung, what it costs is not counted, since
	 * others would be turned down for it in vain */
	bool waits;
	bool may_turn;         /* the caller's */
};
struct sis_budget_items {
	struct sis_budget_item *item;
	size_t count;
	struct sis_budget_items *next; /* NULL: the last */
};
typedef double sis_budget_costs[SIS_BUDGET_RUNGS]; /* nanoseconds of a visit, by rung */

/* What all visits cost, as part of the CPU time. */
double sis__budget_cost(const struct sis_budget_items *items, const sis_budget_costs cost);
/* Turns items of rung `from` one down until they save `amount`; returns what they do not save. */
double sis__budget_down(const struct sis_budget_items *items, const sis_budget_costs cost,
			unsigned from, double amount);
/* Turns items of rung `from` one up that cost no more than `amount` together; returns what is
 * left. */
double sis__budget_up(const struct sis_budget_items *items, const sis_budget_costs cost,
		      unsigned from, double amount);
/* From rung 0 to `lowest`, one rung after the other, until so much is saved; returns what is
 * not. */
double sis__budget_all_down(const struct sis_budget_items *items, const sis_budget_costs cost,
			    unsigned lowest, double amount);
/* From rung `lowest` to 0, as long as there is room; returns what is left of it. */
double sis__budget_all_up(const struct sis_budget_items *items, const sis_budget_costs cost,
			  unsigned lowest, double room);

#pragma GCC visibility pop
#endif
