/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.c - calls the stages of the analysis in order. Each stage fills its part of the
 * experiment from the results of the stages before. */
#include "repository/import/analyze.h"

#include "experiment/causes/critical_path.h"
#include "experiment/causes/delay.h"
#include "experiment/causes/ideal_network.h"
#include "experiment/causes/law.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment/classify/classify.h"
#include "experiment/match/match.h"

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
