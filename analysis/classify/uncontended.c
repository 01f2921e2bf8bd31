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
 * LIMIT: waits that take at most UNCONTENDED_NS on average count as cost of the operation; so does
 * one wait for an atomic of a thread that is not measured.
 */
#include "classify/uncontended.h"

#include "model/clock.h"
#include "model/regions.h"

enum { UNCONTENDED_NS = 500 }; /* some accesses to memory */

static bool has_instruction(enum sis_overhead leaf)
{
	return leaf == OSYNC_ATOMIC || leaf == OSYNC_FLUSH;
}

static bool may_be_free(enum sis_overhead leaf)
{
	return has_instruction(leaf) || leaf == OSYNC_CRIT || leaf == OSYNC_LOCK ||
		leaf == OSYNC_PTMUTEX;
}

/* `left`: the node's time that no culprit explains. */
static int64_t cost_of(const struct process *process, uint32_t n, enum sis_overhead leaf,
		       int64_t left)
{
	const struct profile_node *node = &process->profile.node.at[n];
	bool ended = node->min <= node->max;
	int64_t longest = ended ? clock_span_ns(&process->clock, node->max) : 0;
	double most = (double)node->calls * UNCONTENDED_NS;
	if (has_instruction(leaf) && (double)(left - longest) <= most)
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

int64_t *uncontended_costs(const struct experiment *x, const struct process *process)
{
	int64_t *ns = unexplained_times(process);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		enum sis_overhead leaf = region_leaf(region_of_node(x, process->global[n]));
		ns[n] = may_be_free(leaf) ? cost_of(process, n, leaf, ns[n]) : 0;
	}
	return ns;
}
