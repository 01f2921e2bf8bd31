/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_leaves.c - see traced_leaves.h. One thread. */
#include "answers/query/traced_leaves.h"

#include "experiment/classify/classify.h"
#include "experiment/match/match.h"

void traced_leaves_init(struct traced_leaves *l, struct experiment *x)
{
	match_waits(x, &x->match, &x->warning);
	classify(x, &x->classify, &x->warning);
	timelines_init(&l->timelines, x, &x->warning);
	thread_waits_find(&l->threads, &l->timelines);
	single_waits_init(&l->waits, x, &l->threads);
}

void traced_leaves_release(struct traced_leaves *l)
{
	single_waits_release(&l->waits);
	thread_waits_release(&l->threads);
	timelines_release(&l->timelines);
}
