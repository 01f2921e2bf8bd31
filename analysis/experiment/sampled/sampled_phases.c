// SPDX-License-Identifier: BSD-3-Clause
/* sampled_phases.c - divides the time that a measured node had in a phase among the functions that
 * samples show there (rtlib/adapters/mpi/mpi_phase.c). So the analysis can tell work that only some
 * processes have from work that all have. Called by one thread.
 *
 * If two processes run a function for the same short time, samples may hit it in one of them only.
 * So a function needs SURE samples to have time in the phase: if it had the same time in another
 * process, samples would miss it there in 2 % of all cases. With fewer samples it has no time, but
 * is known to have run, and its time counts for the function above.
 *
 * LIMIT: a function that ran in a phase for less than the time between two samples seems not to
 * have run. */
#include "experiment/sampled/sampled_phases.h"

#include <stdlib.h>

#include "base/sort.h"

enum { SURE = 4 };

struct sums { uint64_t count; double ticks; bool has; };

struct dividing {
	struct profile *profile;
	uint32_t first;
	struct sums *sums;       /* by node from `first` on */
	VEC(uint32_t) node;      /* nodes with sums */
};

static int by_place(const void *va, const void *vb)
{
	const struct phase_sample *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->phase, b->phase) ?: ORDER(a->top, b->top);
}

static int by_number_downwards(const void *a, const void *b)
{
	return ORDER(*(const uint32_t *)b, *(const uint32_t *)a);
}

/* Adds up the samples by node. All nodes above get sums, too. */
static void add_up(struct dividing *d, const struct phase_sample *sample, size_t n)
{
	d->node.n = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t node = sample[i].node;
		for (; node >= d->first; node = d->profile->node.at[node].parent) {
			struct sums *sums = &d->sums[node - d->first];
			if (!sums->has)
				*vec_push(&d->node) = node;
			sums->has = true;
			if (node != sample[i].node)
				continue;
			sums->count += sample[i].count;
			sums->ticks += sample[i].ticks;
		}
	}
	vec_sort(&d->node, by_number_downwards);
}

/* Adds entries for the nodes with sums, which have at most the ticks of `whole` together. The rest
 * stays in `whole`. */
static void add_entries(struct dividing *d, struct profile_phase whole)
{
	double all = 0;
	for (size_t i = 0; i < d->node.n; i++) {
		struct sums *sums = &d->sums[d->node.at[i] - d->first];
		uint32_t parent = d->profile->node.at[d->node.at[i]].parent;
		if (sums->count >= SURE) {
			all += sums->ticks;
			continue;
		}
		if (parent >= d->first) {
			d->sums[parent - d->first].count += sums->count;
			d->sums[parent - d->first].ticks += sums->ticks;
		}
		sums->ticks = 0;
	}
	double part = all > (double)whole.ticks ? (double)whole.ticks / all : 1;
	for (size_t i = 0; i < d->node.n; i++) {
		struct sums *sums = &d->sums[d->node.at[i] - d->first];
		uint64_t ticks = (uint64_t)(sums->ticks * part);
		ticks = ticks < whole.ticks ? ticks : whole.ticks;
		*vec_push(&d->profile->phase) = (struct profile_phase){ d->node.at[i], ticks };
		whole.ticks -= ticks;
		*sums = (struct sums){ 0 };
	}
	*vec_push(&d->profile->phase) = whole;
}

static void divide(struct dividing *d, struct profile_record *record, const phase_samples *samples)
{
	size_t first = d->profile->phase.n;
	for (size_t i = record->first; i < record->first + record->entries; i++) {
		struct profile_phase entry = d->profile->phase.at[i];
		struct phase_sample key = { record->slot, record->comm, entry.node, 0, 0, 0 };
		size_t begin = search_first(k, 0, samples->n,
					    by_place(&samples->at[k], &key) < 0),
		       end = search_first(k, begin, samples->n,
					  by_place(&samples->at[k], &key) <= 0);
		add_up(d, samples->at + begin, end - begin);
		add_entries(d, entry);
	}
	record->first = first;
	record->entries = d->profile->phase.n - first;
}

void sampled_phases_add(struct profile *p, uint32_t first, phase_samples *samples)
{
	struct dividing d = { .profile = p, .first = first };
	if (!samples->n)
		return;
	d.sums = mem_alloc(p->node.n - first + 1, sizeof *d.sums);
	vec_sort(samples, by_place);
	for (size_t i = 0; i < p->record.n; i++)
		if (p->record.at[i].kind == SIS_RECORD_PHASE)
			divide(&d, &p->record.at[i], samples);
	free(d.sums);
	vec_free(&d.node);
}
