/* SPDX-License-Identifier: BSD-3-Clause */
/* estimates.c - times and errors of nodes whose activations were not all timed. One thread.
 *
 *   one in N timed    The activation that is timed is chosen by chance among N. So the variance of
 *                     the sum is N^2 times that of the n timed ones:
 *                         N^2 n s^2 (1 - 1/N),   s^2 = (sum t^2 - (sum t)^2 / n) / (n - 1)
 *                     A thread that loses its processor makes one activation very long. If no timed
 *                     one was hit, s says nothing of it. So time without a processor, which the
 *                     kernel counts for the whole thread, is taken for as many waits of WAIT_NS as
 *                     it makes up, and the node's part of them has a Poisson distribution, each hit
 *                     counting N times. If chance took none of a few activations, their time is
 *                     missing. They are taken for as long as the others.
 *   sampled           Whether a sample hits the node is a matter of chance. The number of hits has
 *                     a Poisson distribution, so the variance is the sum of the squares of what
 *                     the hits stand for. Four samples more stand for hits that could have been:
 *                     so a node that was never hit has an error, too. Four, because the interval
 *                     of a Poisson distribution reaches further up than down: it has 0 to 3.7 for
 *                     no hit. They are as long as the sample that a moment of the run is in, on the
 *                     average; long ones have more moments.
 *
 * The variance of an exclusive time is at most the sum of those of the node and its children. The
 * exclusive time of a sampled node is a part of its samples, so its variance is at most theirs.
 *
 * LIMIT: neither formula sees a program whose rhythm is that of the choice; choices are random. */
#include "model/estimates.h"

#include <math.h>
#include <stdlib.h>

#define WAIT_NS 1e7 /* for which a thread that lost its processor usually waits: some time slices */
#define RARE 0.05

/* If no activation was short, each was timed. */
static bool was_short(const struct profile *p, const struct profile_estimate *e)
{
	return p->node.at[e->node].min < SIS_SHORT;
}

static bool is_sampled(const struct profile *p, const struct profile_estimate *e)
{
	return e->samples || (e->was_low && was_short(p, e));
}

/* Activations of which one in N was timed, perhaps none. */
static uint64_t in_fraction(const struct profile *p, const struct profile_estimate *e)
{
	return was_short(p, e) ? e->below[SIS_RUNG_FRACTION - 1] : 0;
}

void estimates_add(const struct process *process, bool *estimated, int64_t *own)
{
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < p->estimate.n; i++) {
		const struct profile_estimate *e = &p->estimate.at[i];
		if (!p->node.at[e->node].reachable)
			continue;
		estimated[e->node] |= e->timed || in_fraction(p, e) || is_sampled(p, e);
		own[e->node] += clock_span_ns(&process->clock, e->sampled);
	}
}

/* Square ticks, of activations none of which was timed: there are fewer than 3 N, with 95 %. They
 * are taken for as long as those that were timed before. */
static double unseen_variance(const struct profile *p, const struct profile_estimate *e,
			      double fraction)
{
	const struct profile_node *n = &p->node.at[e->node];
	double unseen = (double)in_fraction(p, e), others = (double)n->calls - unseen;
	double sum = others > 0 ? fmin(unseen, 3 * fraction) * (double)n->total / others : 0;
	return sum * sum / (ESTIMATE_95 * ESTIMATE_95);
}

static double fraction_variance(const struct process *process, const struct profile_estimate *e)
{
	const struct sis_profile_header *h = &process->profile.head;
	double n = (double)e->timed, fraction = h->timing > 1 ? h->timing : SIS_FRACTION;
	if (e->timed == 0)
		return unseen_variance(&process->profile, e, fraction);
	double around = e->ticks_squared - e->ticks * e->ticks / n;
	double single = e->timed > 1 ? fmax(around, 0) / (n - 1) : e->ticks_squared;
	return fraction * (fraction - 1) * n * single;
}

/* In square nanoseconds. If less than one wait is expected in twenty runs, the result is 0: such a
 * wait is among the 5 % that the interval of 95 % does not cover. */
static double waits_variance(const struct process *process, const struct profile_estimate *e)
{
	const struct profile *p = &process->profile;
	double span = (double)process->clock.ns_span, lost = 0;
	double fraction = p->head.timing > 1 ? p->head.timing : SIS_FRACTION;
	for (size_t i = 0; i < p->no_processor.n; i++)
		if (p->no_processor.at[i].slot == p->node.at[e->node].slot)
			lost += (double)p->no_processor.at[i].ns;
	double rest = fmax(span - lost, span / 100);
	double own = e->ticks * fraction * span / (double)process->clock.ticks_span;
	double expected = fmin(own / rest, 1) * lost;
	return expected < RARE * WAIT_NS ? 0 : (fraction - 1) * expected * WAIT_NS;
}

/* Ticks of the sample that a moment is in, on the average; if there was none, a millisecond. */
static double usual_sample(const struct profile *p)
{
	double squares = 0, ticks = 0;
	for (size_t i = 0; i < p->estimate.n; i++) {
		squares += p->estimate.at[i].sampled_squared;
		ticks += (double)p->estimate.at[i].sampled;
	}
	return ticks > 0 ? squares / ticks : (double)p->head.ticks_per_second / 1000;
}

static double sampled_variance(const struct profile *p, const struct profile_estimate *e,
			       double usual)
{
	enum { UNSEEN = 4 };
	return is_sampled(p, e) ? e->sampled_squared + UNSEEN * usual * usual : 0;
}

/* Exclusive times lose those of the children, with their errors. */
static void add_children(const struct process *process, const bool *sampled, const double *incl,
			 double *excl)
{
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = process->profile.node.at[n].parent;
		if (parent != NONE && !sampled[parent])
			excl[parent] += incl[n];
	}
}

void estimates_errors(struct process *process)
{
	const struct profile *p = &process->profile;
	if (!p->estimate.n)
		return;
	double ns = (double)process->clock.ns_span / (double)process->clock.ticks_span;
	double *incl = mem_alloc(p->node.n, sizeof *incl), *excl = mem_alloc(p->node.n,
		sizeof *excl), usual = usual_sample(p);
	bool *sampled = mem_alloc(p->node.n, sizeof *sampled);
	for (size_t i = 0; i < p->estimate.n; i++) {
		const struct profile_estimate *e = &p->estimate.at[i];
		sampled[e->node] |= is_sampled(p, e);
		incl[e->node] += (fraction_variance(process, e) + sampled_variance(p, e, usual)) *
			ns * ns + waits_variance(process, e);
		excl[e->node] = incl[e->node];
	}
	add_children(process, sampled, incl, excl);
	free(sampled);
	process->incl_variance = incl;
	process->excl_variance = excl;
}
