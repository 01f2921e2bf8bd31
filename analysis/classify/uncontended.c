/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.c - separates the cost of atomics, flushes, critical constructs and locks from waits
 * for other threads. One thread; owns nothing.
 *
 * The profile has the sum of a node's activations, and the culprits of waits of more than 20 us. So
 * a node's time has three parts:
 *
 *     | waits with a culprit | calls * UNCONTENDED_NS | the rest |
 *       wait                   cost of the operation    wait
 *
 * A long wait in an atomic has a culprit, and a flush does not wait. So if there is no rest without
 * the longest activation, the processor executed another program in it, and that is no wait.
 *
 * Atomics that threads fight for take some ten ns more, so they are compared with what an atomic
 * takes alone: as the process measured it at its start, or as the node's shortest activation, if
 * that is longer (another operation). If they take less than 2.5 times as long on average,
 * nobody fights. Else what is beyond is contention.
 * LIMIT: waits that take at most UNCONTENDED_NS on average count as cost of the operation; so does
 * one wait for an atomic of a thread that is not measured. In a process with several threads,
 * atomics that miss the caches count as contended.
 */
#include "classify/uncontended.h"

#include <math.h>
#include <stdlib.h>

#include "model/clock.h"
#include "model/regions.h"

enum { UNCONTENDED_NS = 500, /* some accesses to memory */
       TIMED_LEAST = 100 };
#define CONTENDED 2.5 /* times what an operation takes alone; a busy core takes twice as long */

static bool has_instruction(enum sis_overhead leaf)
{
	return leaf == OSYNC_ATOMIC || leaf == OSYNC_FLUSH;
}

static bool may_be_free(enum sis_overhead leaf)
{
	return has_instruction(leaf) || leaf == OSYNC_CRIT || leaf == OSYNC_LOCK ||
		leaf == OSYNC_PTMUTEX;
}

static int64_t longest_ns(const struct process *process, uint32_t n)
{
	const struct profile_node *node = &process->profile.node.at[n];
	return node->min <= node->max ? clock_span_ns(&process->clock, node->max) : 0;
}

/* `left`: the node's time that no culprit explains. */
static int64_t cost_of(const struct process *process, uint32_t n, enum sis_overhead leaf,
		       int64_t left)
{
	const struct profile_node *node = &process->profile.node.at[n];
	double most = (double)node->calls * UNCONTENDED_NS;
	if (has_instruction(leaf) && (double)(left - longest_ns(process, n)) <= most)
		return left;
	return (double)left < most ? left : (int64_t)most;
}

/* The time of each node that no culprit explains. */
static int64_t *unexplained_times(const struct process *process)
{
	const struct profile *p = &process->profile;
	int64_t *left = mem_alloc(p->node.n, sizeof *left);
	for (size_t i = 0; i < process->ordered; i++)
		left[process->order[i]] = process->excl_ns[process->order[i]];
	for (size_t i = 0; i < p->culprit.n; i++) {
		uint32_t n = p->culprit.at[i].node;
		int64_t ns = clock_span_ns(&process->clock, p->culprit.at[i].ticks);
		if (n != NONE)
			left[n] -= ns < left[n] ? ns : left[n];
	}
	return left;
}

/* -- atomics --------------------------------------------------------------------------------- */

/* What one operation of the node takes while no other thread wants it; `atomic`: an increment. */
static double alone_ns(const struct process *process, uint32_t n, double atomic)
{
	const struct profile *p = &process->profile;
	double ns_of_tick = 1e9 / (double)p->head.ticks_per_second;
	double least = (double)p->node.at[n].min * ns_of_tick - p->head.probe_inner_ns;
	bool ended = p->node.at[n].min <= p->node.at[n].max;
	return ended && least > atomic ? least : atomic;
}

/* By node: its time without that in which the processor executed another program. If one activation
 * stood for several, and only if it was short, the mean of these is right. Else it is not known
 * where the thread lacked a processor: perhaps here, all the time. */
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

/* Takes from the costs of atomics what is contention. */
static void take_contention(const struct experiment *x, const struct process *process,
			    const double *probes, int64_t *cost)
{
	const struct profile *p = &process->profile;
	const char *text = profile_first_text(p, "atomic");
	double atomic = text ? strtod(text, NULL) : 0;
	if (!(atomic > 0 && atomic < 1e6) || p->head.max_slots < 2)
		return;
	double *undisturbed = undisturbed_times(process, cost);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		double own = (double)p->node.at[n].calls * alone_ns(process, n, atomic);
		/* no more than all of the node: a timed atomic takes longer than others */
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
	int64_t *ns = unexplained_times(process);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		enum sis_overhead leaf = region_leaf(region_of_node(x, process->global[n]));
		ns[n] = may_be_free(leaf) ? cost_of(process, n, leaf, ns[n]) : 0;
	}
	take_contention(x, process, probes, ns);
	return ns;
}
