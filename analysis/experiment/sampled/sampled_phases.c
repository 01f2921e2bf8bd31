// SPDX-License-Identifier: BSD-3-Clause
/* sampled_phases.c - divides the time that a measured node had in a phase among the functions that
 * samples show there (rtlib/adapters/mpi/mpi_phase.c). The moments of the samples say in which
 * phase they were taken. So the analysis can tell work that only some processes have from work that
 * all have. Called by one thread.
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

static const double SURE = 3.5; /* 4, as a sum of parts */

/* Samples in a phase. phase: index of its record; the rest as struct stack_nodes. */
struct phase_sample { uint32_t phase, top, node; double count, ticks; };
typedef VEC(struct phase_sample) phase_samples;

/* A phase of a thread; times in ticks. record: index. */
struct span { uint32_t slot, record; uint64_t begin, end; };

struct sums { double count, ticks; bool has; };

struct dividing {
	struct profile *profile;
	uint32_t first;
	struct sums *sums;       /* by node from `first` on */
	VEC(uint32_t) node;      /* nodes with sums */
};

static int by_place(const void *va, const void *vb)
{
	const struct phase_sample *a = va, *b = vb;
	return ORDER(a->phase, b->phase) ?: ORDER(a->top, b->top);
}

static int by_time(const void *va, const void *vb)
{
	const struct span *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->begin, b->begin);
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

static void divide(struct dividing *d, uint32_t number, const phase_samples *samples)
{
	struct profile_record *record = &d->profile->record.at[number];
	size_t first = d->profile->phase.n;
	for (size_t i = record->first; i < record->first + record->entries; i++) {
		struct profile_phase entry = d->profile->phase.at[i];
		struct phase_sample key = { number, entry.node, NONE, 0, 0 };
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

/* -- which samples are in which phase ---------------------------------------------------------- */

static uint64_t overlap(const struct span *span, const struct stacks_moments *m)
{
	uint64_t begin = span->begin > m->first ? span->begin : m->first;
	uint64_t end = span->end < m->last ? span->end : m->last;
	return end > begin ? end - begin : 0;
}

/* Divides samples among the phases of their thread. Samples that last from one phase to a later one
 * are divided by time. */
static void add_moments(phase_samples *samples, const struct span *span, size_t spans,
			const struct stacks_moments *m, const struct stacks_stack *stack,
			struct stack_nodes of, double ticks_per_ns)
{
	double ticks = (double)stack->weight * ticks_per_ns / (double)stack->count;
	double length = (double)(m->last - m->first);
	size_t k = search_first(at, 0, spans,
				span[at].slot < stack->slot ||
				(span[at].slot == stack->slot && span[at].end <= m->first));
	for (; k < spans && span[k].slot == stack->slot && span[k].begin <= m->last; k++) {
		double part = length > 0 ? (double)overlap(&span[k], m) / length : 1;
		*vec_push(samples) = (struct phase_sample){
			span[k].record, of.top, of.node, m->count * part, m->count * part * ticks,
		};
	}
}

void sampled_phases_add(struct profile *p, uint32_t first, const struct stacks *stacks,
			const struct stack_nodes *of, double ticks_per_ns)
{
	struct dividing d = { .profile = p, .first = first };
	phase_samples samples = { 0 };
	VEC(struct span) span = { 0 };
	for (size_t i = 0; i < p->record.n; i++) {
		const struct profile_record *r = &p->record.at[i];
		if (r->kind == SIS_RECORD_PHASE)
			*vec_push(&span) = (struct span){ r->slot, (uint32_t)i, r->enter, r->exit };
	}
	vec_sort(&span, by_time);
	for (size_t i = 0; span.n && i < stacks->moments.n; i++) {
		const struct stacks_moments *m = &stacks->moments.at[i];
		const struct stacks_stack *stack = &stacks->stack.at[m->stack];
		if (of[m->stack].node != of[m->stack].top && m->count <= stack->count)
			add_moments(&samples, span.at, span.n, m, stack, of[m->stack],
				    ticks_per_ns);
	}
	d.sums = mem_alloc(p->node.n - first + 1, sizeof *d.sums);
	vec_sort(&samples, by_place);
	for (size_t i = 0; samples.n && i < span.n; i++)
		divide(&d, span.at[i].record, &samples);
	free(d.sums);
	vec_free(&d.node);
	vec_free(&samples);
	vec_free(&span);
}
