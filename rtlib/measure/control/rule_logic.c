/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_logic.c - what rules compute. Pure functions, without files and threads. */
#include "measure/control/rule_logic.h"

#include <math.h>

static uint64_t load(const uint64_t *number)
{
	return __atomic_load_n(number, __ATOMIC_RELAXED);
}

/* -- sums -------------------------------------------------------------------------------------- */

void sis__sum_add(struct sis_region_sums *sums, const struct sis_node *node, bool open,
		  uint64_t now)
{
	const struct sis_estimate *estimate = __atomic_load_n(&node->estimate, __ATOMIC_ACQUIRE);
	uint64_t calls = load(&node->calls), total = load(&node->total),
		 start = sis_node_start(load(&node->start));
	if (estimate)
		total += load(&estimate->sampled);
	/* if the open activation is sampled, its time is in `total` already */
	bool counts = open && start != SIS_START_SAMPLED;
	sums->calls += calls;
	sums->ended += open && calls ? calls - 1 : calls;
	sums->ticks += total;
	sums->so_far += total + (counts && now > start ? now - start : 0);
}

/* -- measures ---------------------------------------------------------------------------------- */

double sis__measure_of(enum sis_control_measure measure, const struct sis_region_sums *before,
		      const struct sis_region_sums *now, const struct sis_period *period)
{
	double per_second = period->ticks_per_second;
	switch (measure) {
	case SIS_CONTROL_TIME:
		if (now->ended <= before->ended || now->ticks < before->ticks)
			return NAN;
		return (double)(now->ticks - before->ticks) / per_second /
			(double)(now->ended - before->ended);
	case SIS_CONTROL_CALLS:
		return (double)(now->calls - before->calls) / period->seconds;
	case SIS_CONTROL_SHARE:
		if (now->so_far < before->so_far || period->threads < 1)
			return 0;
		return (double)(now->so_far - before->so_far) / per_second / period->seconds /
			period->threads;
	default:
		return NAN;
	}
}

/* -- history ----------------------------------------------------------------------------------- */

enum { MEMORY = 16, FEWEST = 3, HOLD_MOST = 100 /* periods */ };

/* The first periods have equal weights; each later period has the weight 1 / MEMORY. */
void sis__history_add(struct sis_history *history, double time, bool hold)
{
	history->held = hold ? history->held + 1 : 0;
	if (isnan(time) || (hold && history->held < HOLD_MOST))
		return;
	uint32_t n = ++history->periods;
	double weight = 1.0 / (n < MEMORY ? n : MEMORY), difference = time - history->mean;
	history->mean += weight * difference;
	history->variance = (1 - weight) * (history->variance + weight * difference * difference);
}

double sis__history_usual(const struct sis_history *history)
{
	return history->periods >= FEWEST ? history->mean : NAN;
}

/* The square root is computed by Newton's method, so that the runtime does not need libm. */
double sis__history_spread(const struct sis_history *history)
{
	double square = history->variance, guess = square > 1 ? square : 1;
	if (history->periods < FEWEST)
		return NAN;
	for (int i = 0; i < 600 && guess * guess > square * (1 + 1e-9); i++)
		guess = (guess + square / guess) / 2;
	return square > 0 ? guess : 0;
}

/* -- when to act ------------------------------------------------------------------------------- */

/* A rule first acts when its answer is yes. Before that, there are no actions that an answer no
 * could take back. */
bool sis__rule_decide(struct sis_rule_state *state, const struct sis_control_rule *rule,
		      enum sis_control_answer answer, uint64_t now_ns)
{
	if (answer == SIS_CONTROL_UNKNOWN)
		return false;
	if (answer != state->answer) {
		state->answer = answer;
		state->since_ns = now_ns;
	}
	if (state->acted == answer || now_ns - state->since_ns < rule->hold_ns ||
	    (state->acted == SIS_CONTROL_UNKNOWN && answer == SIS_CONTROL_NO))
		return false;
	state->acted = answer;
	return true;
}
