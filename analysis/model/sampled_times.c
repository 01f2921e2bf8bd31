/* sampled.c - SIS_TIMING: of some regions one activation in so many was timed, and stands for all. One thread.
 *
 * Such a sum is right on the average and off by chance, so a function may seem to need more than what called it. What was
 * timed each time is exact, and so is the root. Hence two walks: from the leaves upwards an estimate grows until
 * it holds what is exact below it; from the root downwards estimates that do not fit in together shrink, each in
 * proportion to what it has beyond the exact times below it. */
#include "model/sampled_times.h"

#include <stdlib.h>

struct share { int64_t own, least; }; /* sums over the children */

/* Returns the part of each node that is exact below it, and the sums over its children. */
static int64_t *grow(const struct process *process, const bool *estimated, int64_t *own, struct share *below)
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
		double part = room > 0 ? (double)room / (double)(below[parent].own - below[parent].least) : 0;
		own[n] = least[n] + (int64_t)((double)(own[n] - least[n]) * part);
	}
	free(below);
	free(least);
}
