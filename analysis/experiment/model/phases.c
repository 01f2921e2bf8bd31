/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.c - lists and searches the phases and calls of a process. Owns nothing; called by one
 * thread. */
#include "experiment/model/phases.h"

#include "base/sort.h"
#include "experiment/model/clock.h"

static int by_slot_and_begin(const void *va, const void *vb)
{
	const struct phase_span *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->begin, b->begin);
}

/* A phase that overlaps the previous phase is left out, because it shows that the file is
 * damaged. */
phase_spans phases_list(const struct process *p)
{
	phase_spans list = { 0 };
	size_t kept = 0;
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		int64_t begin = clock_ns(&p->clock, r->enter), end = clock_ns(&p->clock, r->exit);
		if (r->kind == SIS_RECORD_PHASE && end > begin)
			*vec_push(&list) = (struct phase_span){
				.slot = r->slot, .begin = begin, .end = end, .record = r
			};
	}
	vec_sort(&list, by_slot_and_begin);
	for (size_t i = 0; i < list.n; i++)
		if (!kept || list.at[i].slot != list.at[kept - 1].slot ||
		    list.at[i].begin >= list.at[kept - 1].end)
			list.at[kept++] = list.at[i];
	list.n = kept;
	return list;
}

size_t phases_find(const phase_spans *phases, uint32_t slot, int64_t time)
{
	const struct phase_span *at = phases->at;
	return search_first(i, 0, phases->n,
			    at[i].slot < slot || (at[i].slot == slot && at[i].end <= time));
}

size_t calls_find(const calls *list, uint32_t slot, int64_t time)
{
	const struct call *at = list->at;
	return search_first(i, 0, list->n,
			    at[i].slot < slot || (at[i].slot == slot && at[i].exit <= time));
}

int64_t phase_entry_ns(const struct process *p, const struct phase_span *phase,
		       const struct profile_phase *entry)
{
	int64_t ns = clock_span_ns(&p->clock, entry->ticks), most = phase->end - phase->begin;
	return ns < 0 ? 0 : ns < most ? ns : most;
}
