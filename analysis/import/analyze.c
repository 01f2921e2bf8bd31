/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.c - calls the stages in order. Each fills its part of the experiment from those before
 * it. */
#include "import/analyze.h"

#include "causes/critical_path.h"
#include "causes/delay.h"
#include "causes/ideal_network.h"
#include "causes/law.h"
#include "classify/classify.h"
#include "match/match.h"

void analyze(struct experiment *x)
{
	struct timelines timelines;
	struct thread_waits threads;
	match_waits(x, &x->match, &x->warning);
	classify(x, &x->classify, &x->warning);
	timelines_init(&timelines, x, &x->warning);
	thread_waits_find(&threads, &timelines);
	ideal_network(x);
	delay_costs(x, &threads);
	delay_costs_of_idle(x);
	delay_costs_reported(x, &timelines);
	delay_costs_of_threads(x, &timelines);
	delay_costs_unlocated(x);
	delay_costs_propagate(x);
	delay_costs_chain(x, &timelines);
	law_check(x, &threads);
	critical_path(x, &threads);
	thread_waits_release(&threads);
	timelines_release(&timelines);
}
