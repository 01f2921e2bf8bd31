/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_logic.h - what rules compute: measures of a period, usual values, and when to act. Pure
 * functions. */
#ifndef SIS_RULE_LOGIC_H
#define SIS_RULE_LOGIC_H

#include "base/runtime.h"
#include "control_rules.h"

#pragma GCC visibility push(hidden)

/* Calls and times of the regions of a pattern since the start of the process, in all threads
 * together. Activations inside another activation of the same pattern are not counted. */
struct sis_region_sums {
	uint64_t calls, ended; /* activations that began; activations that ended */
	uint64_t ticks;        /* time of the activations that ended */
	uint64_t so_far;       /* time of all activations; of open ones the time up to now */
};
/* Adds a node that matches the pattern. The caller makes sure that no node above it matches. The
 * thread of the node may change the node meanwhile. */
void sis__sum_add(struct sis_region_sums *sums, const struct sis_node *node, bool open,
		  uint64_t now);

/* The history of the time per activation: a mean and a variance in which older periods count less.
 * If all fields are zero, it is empty. */
struct sis_history {
	double mean, variance;
	uint32_t periods;      /* number of periods that were added */
	uint32_t held;         /* number of last periods in succession in which `hold` was true */
};
/* Adds the time of a period; NaN: there was no activation. `hold` says that a condition that
 * compares with the history is true. Then the present time is not usual, and is not added. After
 * 100 such periods in succession it is added nevertheless. */
void sis__history_add(struct sis_history *history, double time, bool hold);
/* Both return NaN if there were too few periods. */
double sis__history_usual(const struct sis_history *history);
double sis__history_spread(const struct sis_history *history);

/* One period, with the numbers that measures need. */
struct sis_period { double seconds, threads, ticks_per_second; };
double sis__measure_of(enum sis_control_measure measure, const struct sis_region_sums *before,
		      const struct sis_region_sums *now, const struct sis_period *period);

/* The answers of a rule's condition so far. */
struct sis_rule_state {
	enum sis_control_answer answer; /* the last answer other than unknown ... */
	uint64_t since_ns;              /* ... and when the answer changed to this */
	enum sis_control_answer acted;  /* the answer on which the rule acted last; unknown: none */
};

/* Whether the rule now begins to act on this answer. If so, sets state->acted, which says whether
 * the rule's `then` or `else` actions are in force. */
bool sis__rule_decide(struct sis_rule_state *state, const struct sis_control_rule *rule,
		      enum sis_control_answer answer, uint64_t now_ns);

#pragma GCC visibility pop
#endif
