/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.c - calls the stages in order. Each fills its part of the experiment from those before
 * it. */
#include "import/analyze.h"

#include "causes/critical_path.h"
#include "causes/delay.h"
#include "causes/ideal_network.h"
#include "causes/law.h"
#include "causes/wait_pairs.h"
#include "classify/classify.h"
#include "match/match.h"

void analyze_causes(struct experiment *x)
{
	struct timelines timelines;
	struct thread_waits threads;
	struct experiment_causes *causes = &x->causes;
	timelines_init(&timelines, x, &x->warning);
	thread_waits_find(&threads, &timelines);
	ideal_network(x, causes);
	delay_costs_find(x, causes, &threads, &x->warning);
	law_check(x, causes, &threads);
	wait_pairs_finish(x, causes, WAIT_PAIRS_MOST);
	critical_path(x, causes, &threads);
	thread_waits_release(&threads);
	timelines_release(&timelines);
}

void analyze(struct experiment *x)
{
	match_waits(x, &x->match, &x->warning);
	classify(x, &x->classify, &x->warning);
	analyze_causes(x);
}
