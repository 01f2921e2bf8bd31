/* SPDX-License-Identifier: BSD-3-Clause */
/* estimates.c - computes times and errors of nodes whose activations were not all timed. Called by
 * one thread.
 *
 *   one in N timed    The activation that is timed is chosen at random among N. So the variance of
 *                     the node's time is N^2 times that of the sum of the n timed activations:
 *                         N^2 n s^2 (1 - 1/N),   s^2 = (sum t^2 - (sum t)^2 / n) / (n - 1)
 *                     If a thread loses its processor, one activation becomes very long. If this
 *                     activation was not timed, s is too small. So the error of such losses is
 *                     added. The kernel counts the time without a processor for the whole thread.
 *                     This time is divided into waits of WAIT_NS. The number of waits that hit the
 *                     node has a Poisson distribution, and each hit counts N times. If there were
 *                     few activations, none of them may have been timed, and their time is missing.
 *                     They are assumed to be as long as other activations of the node.
 *   sampled           Whether a sample hits the node is a matter of chance. The number of hits has
 *                     a Poisson distribution. So the variance is the sum of the squares of the
 *                     times that the hits stand for. Four samples are added, which stand for hits
 *                     that could have been. So the time of a node that was never hit has an error,
 *                     too. There are four of them because the interval of a Poisson distribution
 *                     reaches further up than down: for no hit, it is 0 to 3.7. The length of the
 *                     added samples is the mean length of the sample around a random moment of the
 *                     run.
 *
 *   sampled stacks    Of all samples of a thread, a part is in the function. The number of these
 *                     has a binomial distribution. Four samples are added, as above.
 *
 * The variance of an exclusive time is at most the sum of the variances of the node and its
 * children. The exclusive time of a sampled node is a part of its samples, so its variance is at
 * most that of the samples.
 *
 * LIMIT: the formulas assume that the choice of activations and samples is independent of what the
 * program does. So that this also holds for periodic programs, the choice is random. */
#include "experiment/model/estimates.h"

#include <math.h>
#include <stdlib.h>

#define WAIT_NS 1e7 /* usual wait of a thread that lost its processor: some time slices */
#define RARE 0.05

/* Whether any activation was short. If no activation was short, each one was timed. */
static bool was_short(const struct profile *p, const struct profile_estimate *e)
{
	return p->node.at[e->node].min < SIS_SHORT;
}

static bool is_sampled(const struct profile *p, const struct profile_estimate *e)
{
	return e->samples || e->of_stacks || (e->was_low && was_short(p, e));
}

/* The number of activations that were timed as one in N. By chance, none of them may have been
 * timed. */
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

/* The variance of the sum of activations of which one in N was timed, in square ticks. */
static double fraction_variance(const struct process *process, const struct profile_estimate *e)
{
	const struct profile *p = &process->profile;
	double n = (double)e->timed, fraction = p->head.timing > 1 ? p->head.timing : SIS_FRACTION;
	if (e->timed == 0) {
		/* If none of them was timed, there were at most 3 N of them, with a probability of
		 * 95 %. They are assumed to have the mean length of the other activations. */
		const struct profile_node *node = &p->node.at[e->node];
		double unseen = (double)in_fraction(p, e), others = (double)node->calls - unseen;
		double sum = others > 0 ?
			fmin(unseen, 3 * fraction) * (double)node->total / others : 0;
		return sum * sum / (ESTIMATE_95 * ESTIMATE_95);
	}
	double around = e->ticks_squared - e->ticks * e->ticks / n;
	double single = e->timed > 1 ? fmax(around, 0) / (n - 1) : e->ticks_squared;
	return fraction * (fraction - 1) * n * single;
}

/* The variance that is due to waits for a processor, in square nanoseconds. If less than one wait
 * is expected in twenty runs, the result is 0: such a wait belongs to the 5 % of cases that an
 * interval of 95 % does not cover. */
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

/* The mean length, in ticks, of the sample that contains a random moment; a millisecond if there
 * are no samples. Longer samples contain more moments, so they have more weight. */
static double usual_sample(const struct profile *p)
{
	double squares = 0, ticks = 0;
	for (size_t i = 0; i < p->estimate.n; i++) {
		squares += p->estimate.at[i].sampled_squared;
		ticks += (double)p->estimate.at[i].sampled;
	}
	return ticks > 0 ? squares / ticks : (double)p->head.ticks_per_second / 1000;
}

void estimates_errors(struct process *process)
{
	enum { UNSEEN = 4 }; /* samples that could have been */
	const struct profile *p = &process->profile;
	if (!p->estimate.n)
		return;
	double ns = (double)process->clock.ns_span / (double)process->clock.ticks_span;
	double *incl = mem_alloc(p->node.n, sizeof *incl), *excl = mem_alloc(p->node.n,
		sizeof *excl), usual = usual_sample(p);
	bool *sampled = mem_alloc(p->node.n, sizeof *sampled);
	for (size_t i = 0; i < p->estimate.n; i++) {
		const struct profile_estimate *e = &p->estimate.at[i];
		double variance = e->of_stacks ? e->variance : fraction_variance(process, e),
		       unseen = is_sampled(p, e) ? UNSEEN * usual * usual : 0;
		if (is_sampled(p, e) && !e->of_stacks)
			variance += e->sampled_squared;
		sampled[e->node] |= is_sampled(p, e);
		incl[e->node] += (variance + unseen) * ns * ns + waits_variance(process, e);
		excl[e->node] = e->of_stacks ? (e->own_variance + unseen) * ns * ns :
			incl[e->node];
	}
	/* a child's time is subtracted from its parent's exclusive time, so its variance is
	 * added */
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = p->node.at[n].parent;
		if (parent != NONE && !sampled[parent])
			excl[parent] += incl[n];
	}
	free(sampled);
	process->incl_variance = incl;
	process->excl_variance = excl;
}
