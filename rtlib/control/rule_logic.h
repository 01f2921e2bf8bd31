/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_logic.h - what rules compute: measures of a period, what is usual, and when to act. Pure
 * functions. */
#ifndef SIS_RULE_LOGIC_H
#define SIS_RULE_LOGIC_H

#include "base/runtime.h"
#include "control_rules.h"

#pragma GCC visibility push(hidden)

/* What the regions of a pattern have done since the start of the process, all threads together.
 * Activations inside another one of the same pattern are not counted. */
struct sis_region_sums {
	uint64_t calls, ended; /* activations that began; that ended */
	uint64_t ticks;        /* of those that ended */
	uint64_t so_far;       /* of all, those that are open until now */
};
/* The node is one of the pattern and has none above it. Others may change it meanwhile. */
void sis__sum_add(struct sis_region_sums *sums, const struct sis_node *node, bool open,
		  uint64_t now);

/* The times per activation so far: a mean and a variance that forget slowly. All zero: none. */
struct sis_history {
	double mean, variance;
	uint32_t periods;      /* in which there were some */
	uint32_t held;         /* periods in a row in which a condition held it */
};
/* Adds the time of a period; NaN: there was none. `hold`: a condition that asks for the history is
 * true, so what happens now is not usual. After many periods it is. */
void sis__history_add(struct sis_history *history, double time, bool hold);
double sis__history_usual(const struct sis_history *history);  /* NaN: too few periods */
double sis__history_spread(const struct sis_history *history);

/* One period of one pattern. */
struct sis_period { double seconds, threads, ticks_per_second; };
double sis__measure_of(enum sis_control_measure measure, const struct sis_region_sums *before,
		      const struct sis_region_sums *now, const struct sis_period *period);

/* What a rule has found so far. */
struct sis_rule_state {
	enum sis_control_answer answer; /* the last one that is known ... */
	uint64_t since_ns;              /* ... and when it became that */
	enum sis_control_answer acted;  /* on which actions were taken; unknown: on none yet */
};

/* Whether the rule begins to act on this answer: state->acted says which actions. */
bool sis__rule_decide(struct sis_rule_state *state, const struct sis_control_rule *rule,
		      enum sis_control_answer answer, uint64_t now_ns);

#pragma GCC visibility pop
#endif
