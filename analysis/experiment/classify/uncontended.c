/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.c - separates the cost of atomics, flushes, critical constructs and locks from waits
 * for other threads. Called by one thread; owns nothing.
 *
 * The profile has the sum of a node's activations, and the culprits of waits longer than 20 us. So
 * the time of a node has three parts:
 *
 *     | waits with a culprit | calls * UNCONTENDED_NS | the rest |
 *       wait                   cost of the operation    wait
 *
 * A long wait in an atomic has a culprit, and a flush does not wait. So if only the longest
 * activation causes the rest, the processor executed another program during this activation, and
 * the rest is no wait.
 *
 * Contention makes atomics only some ten ns longer. So they are compared with the time of an atomic
 * without contention. This is the time that the process measured at its start or, if the node's
 * shortest activation takes longer, the time of this activation. If the node's atomics take at most
 * 2.5 times as long on average, there is no contention. Otherwise the excess over the time without
 * contention is contention.
 *
 * LIMIT: waits of at most UNCONTENDED_NS on average count as cost of the operation. So does a
 * single wait for an atomic of a thread that is not measured. In a process with several threads,
 * atomics that miss the caches count as contended. */
#include "experiment/classify/uncontended.h"

#include <math.h>
#include <stdlib.h>

#include "experiment/model/clock.h"
#include "experiment/model/regions.h"

enum { UNCONTENDED_NS = 500, /* the time of some accesses to memory */
       TIMED_LEAST = 100 };
#define CONTENDED 2.5 /* times the time without contention; on a busy core it is 2 times as long */

static int64_t longest_ns(const struct process *process, uint32_t n)
{
	const struct profile_node *node = &process->profile.node.at[n];
	return node->min <= node->max ? clock_span_ns(&process->clock, node->max) : 0;
}

/* The cost of the node's operations. `left`: the part of the node's time that no culprit
 * explains. */
static int64_t cost_of(const struct process *process, uint32_t n, enum sis_overhead leaf,
		       int64_t left)
{
	const struct profile_node *node = &process->profile.node.at[n];
	double most = (double)node->calls * UNCONTENDED_NS;
	if (sis_overhead_is(leaf, IS_INSTRUCTION) &&
	    (double)(left - longest_ns(process, n)) <= most)
		return left;
	return (double)left < most ? left : (int64_t)most;
}

/* -- atomics --------------------------------------------------------------------------------- */

/* For each node, estimates its time without the time in which the processor executed another
 * program. If all activations of a node are short (is_brief), and enough of them were timed, the
 * result is the mean of the timed ones times the number of calls. Otherwise the longest activation
 * of the node is subtracted, and the whole time in which the thread lacked a processor. It is not
 * known in which nodes this lack was, so all of it is assumed to be in this node. */
static double *undisturbed_times(const struct process *process, const int64_t *cost)
{
	const struct profile *p = &process->profile;
	double *ns = mem_alloc(p->node.n, sizeof *ns), *lack = mem_alloc(p->head.max_slots + 1,
									  sizeof *lack);
	for (size_t i = 0; i < p->no_processor.n; i++)
		if (p->no_processor.at[i].slot < p->head.max_slots)
			lack[p->no_processor.at[i].slot] += (double)p->no_processor.at[i].ns;
	for (size_t n = 0; n < p->node.n; n++) {
		uint32_t slot = p->node.at[n].slot;
		ns[n] = (double)(cost[n] - longest_ns(process, (uint32_t)n)) -
			(slot < p->head.max_slots ? lack[slot] : 0);
	}
	for (size_t i = 0; i < p->estimate.n; i++) {
		const struct profile_estimate *e = &p->estimate.at[i];
		if (e->is_brief && e->timed >= TIMED_LEAST)
			ns[e->node] = e->ticks / (double)e->timed *
				      (double)p->node.at[e->node].calls * 1e9 /
				      (double)p->head.ticks_per_second;
	}
	free(lack);
	return ns;
}

/* Subtracts contention from the costs of atomics. */
static void take_contention(const struct experiment *x, const struct process *process,
			    const double *probes, int64_t *cost)
{
	const struct profile *p = &process->profile;
	const char *text = profile_first_text(p, "atomic");
	double atomic = text ? strtod(text, NULL) : 0,
	       ns_of_tick = 1e9 / (double)p->head.ticks_per_second;
	if (!(atomic > 0 && atomic < 1e6) || p->head.max_slots < 2)
		return;
	double *undisturbed = undisturbed_times(process, cost);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		const struct profile_node *node = &p->node.at[n];
		/* time of an operation without contention: not less than that of an increment
		 * (`atomic`) */
		double least = (double)node->min * ns_of_tick - p->head.probe_inner_ns;
		bool ended = node->min <= node->max;
		double own = (double)node->calls * (ended && least > atomic ? least : atomic);
		/* at most the node's cost, because a timed atomic takes longer than others */
		double ns = fmin(undisturbed[n], (double)cost[n]) - probes[n];
		if (region_leaf(region_of_node(x, process->global[n])) == OSYNC_ATOMIC &&
		    ns > CONTENDED * own)
			cost[n] -= (int64_t)(ns - own);
	}
	free(undisturbed);
}

int64_t *uncontended_costs(const struct experiment *x, const struct process *process,
			   const double *probes)
{
	const struct profile *p = &process->profile;
	int64_t *ns = mem_alloc(p->node.n, sizeof *ns);
	for (size_t i = 0; i < process->ordered; i++)
		ns[process->order[i]] = process->excl_ns[process->order[i]];
	for (size_t i = 0; i < p->culprit.n; i++) {
		uint32_t n = p->culprit.at[i].node;
		int64_t known = clock_span_ns(&process->clock, p->culprit.at[i].ticks);
		if (n != NONE)
			ns[n] -= known < ns[n] ? known : ns[n];
	}
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		enum sis_overhead leaf = region_leaf(region_of_node(x, process->global[n]));
		ns[n] = sis_overhead_is(leaf, IS_OPERATION) ? cost_of(process, n, leaf, ns[n]) : 0;
	}
	take_contention(x, process, probes, ns);
	return ns;
}
