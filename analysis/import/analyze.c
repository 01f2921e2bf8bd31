/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.c - calls the stages in order. Each fills its part of the experiment from those before
 * it. */
#include "import/analyze.h"

#include "causes/critical_path.h"
#include "causes/delay.h"
#include "causes/ideal_network.h"
#include "classify/classify.h"
#include "match/match.h"

void analyze(struct experiment *x)
{
	match_waits(x, &x->match, &x->warning);
	classify(x, &x->classify, &x->warning);
	ideal_network(x);
	critical_path(x);
	delay_costs(x);
	delay_costs_of_idle(x);
	delay_costs_reported(x);
	delay_costs_of_threads(x);
	delay_costs_unlocated(x);
	delay_costs_propagate(x);
	delay_costs_chain(x);
}
