/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_times.c - corrects estimated times. Called by one thread.
 *
 * Sampled timing (SIS_TIMING) gives estimates that are right on average. But each estimate has an
 * error: a function may seem to take longer than its caller. The root, and regions of which each
 * activation was timed, have exact times. Two walks correct the estimates. The first walk goes from
 * the leaves upwards: it raises an estimate that is less than the sum of the exact times below it.
 * The second walk goes from the root downwards: if the children of a node together have more time
 * than the node, their estimates shrink. Each shrinks in proportion to its excess over the exact
 * times below it. */
#include "experiment/model/sampled_times.h"

#include <stdlib.h>

struct share { int64_t own, least; }; /* sums over the children */

void sampled_settle(const struct process *process, const bool *estimated, int64_t *own)
{
	const struct profile *p = &process->profile;
	struct share *below = mem_alloc(p->node.n, sizeof *below);
	int64_t *least = mem_alloc(p->node.n, sizeof *least); /* exact times in and below a node */
	for (size_t i = process->ordered; i-- > 0;) {
		uint32_t n = process->order[i], parent = p->node.at[n].parent;
		least[n] = estimated[n] ? below[n].least : own[n];
		own[n] = own[n] > least[n] ? own[n] : least[n];
		if (parent == NONE)
			continue;
		below[parent].own += own[n];
		below[parent].least += least[n];
	}
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = p->node.at[n].parent;
		if (parent == NONE || own[n] == least[n] || below[parent].own <= own[parent])
			continue;
		int64_t room = own[parent] - below[parent].least;
		double part = room > 0 ?
			(double)room / (double)(below[parent].own - below[parent].least) :
			0;
		own[n] = least[n] + (int64_t)((double)(own[n] - least[n]) * part);
	}
	free(below);
	free(least);
}
