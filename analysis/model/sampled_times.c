/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_times.c - SIS_TIMING: of some regions one activation in N was timed and stands for N. One
 * thread.
 *
 * Such a sum is right on average, but single sums are off by chance: a function may seem to take
 * longer than its caller. Regions of which each activation was timed have exact times, and so has
 * the root. Two walks make the times fit. From the leaves upwards, an estimate grows until it holds
 * the exact times below it. From the root downwards, estimates that do not fit in together shrink,
 * each in proportion to its excess over the exact times below it. */
#include "model/sampled_times.h"

#include <stdlib.h>

struct share { int64_t own, least; }; /* sums over the children */

/* Computes the part of each node that is exact below it, and returns the sums over its children. */
static int64_t *grow(const struct process *process, const bool *estimated, int64_t *own,
		     struct share *below)
{
	int64_t *least = mem_alloc(process->profile.node.n, sizeof *least);
	for (size_t i = process->ordered; i-- > 0;) {
		uint32_t n = process->order[i], parent = process->profile.node.at[n].parent;
		least[n] = estimated[n] ? below[n].least : own[n];
		own[n] = own[n] > least[n] ? own[n] : least[n];
		if (parent == NONE)
			continue;
		below[parent].own += own[n];
		below[parent].least += least[n];
	}
	return least;
}

void sampled_settle(const struct process *process, const bool *estimated, int64_t *own)
{
	const struct profile *p = &process->profile;
	struct share *below = mem_alloc(p->node.n, sizeof *below);
	int64_t *least = grow(process, estimated, own, below);
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
