/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.c - finds the regions in which a thread was during an interval. Called by one thread;
 * struct intervals belongs to the caller.
 *
 * If the process has a trace, the regions are known exactly (experiment/timeline/). The rest of
 * this file is for processes without a trace. The time of such a process in MPI is known exactly,
 * too, because the calls are recorded. A phase is the time between two readings of the call graph
 * by the runtime (rtlib/adapters/mpi/mpi_phase.c). It is known which regions ran in a phase, but
 * not when. So the time outside of MPI in a part of a phase is divided among the regions as in the
 * whole phase. A phase may have time whose region is not known. Then each part of the phase gets a
 * proportional part of this time. So no region gets more time than it has in the phase. Outside of
 * phases, only the time in MPI is known. */
#include "experiment/causes/interval.h"

#include <stdlib.h>

#include "experiment/model/regions.h"

/* -- calls and phases in an interval ----------------------------------------------------------- */

struct walk {
	const struct intervals *s;
	const struct process *p;
	uint32_t process, slot;
	interval_fn *take;
	void *arg;
};

static void give(const struct walk *w, uint32_t node, int64_t ns, bool exact)
{
	bool known = node != NONE && node != OUTSIDE_MPI && w->p->global[node] != NONE;
	if (ns > 0)
		w->take(w->arg, known ? node : OUTSIDE_MPI, ns, exact && known);
}

/* Gives the calls of MPI between the times to `take`. Returns the time outside of these calls. */
static int64_t give_calls(const struct walk *w, int64_t from, int64_t to)
{
	const calls *c = &w->s->x->match.process.at[w->process].calls;
	int64_t outside = 0;
	for (size_t i = calls_find(c, w->slot, from);
	     i < c->n && c->at[i].slot == w->slot && c->at[i].enter < to; i++) {
		int64_t enter = c->at[i].enter > from ? c->at[i].enter : from,
			exit = c->at[i].exit < to ? c->at[i].exit : to;
		if (exit <= enter)
			continue;
		outside += enter - from;
		give(w, c->at[i].node, exit - enter, true);
		from = exit;
	}
	return outside + (to > from ? to - from : 0);
}

static void ignore(void *arg, uint32_t node, int64_t ns, bool exact)
{
	(void)arg, (void)node, (void)ns, (void)exact;
}

void intervals_init(struct intervals *s, const struct experiment *x, const struct timelines *t)
{
	s->x = x;
	s->timelines = t;
	s->lane = mem_alloc(x->model.process.n, sizeof *s->lane);
	for (uint32_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		s->lane[i].phase = phases_list(p);
		/* computed once for each phase, because it would take long to look at all calls of
		 * the phase for each part of it */
		for (size_t k = 0; k < s->lane[i].phase.n; k++) {
			struct phase_span *phase = &s->lane[i].phase.at[k];
			struct walk w = { s, p, i, phase->slot, ignore, NULL };
			phase->outside_ns = give_calls(&w, phase->begin, phase->end);
		}
	}
}

void intervals_release(struct intervals *s)
{
	for (size_t i = 0; i < s->x->model.process.n; i++)
		vec_free(&s->lane[i].phase);
	free(s->lane);
}

static bool is_in_mpi(const struct walk *w, uint32_t node)
{
	uint32_t global = node == NONE ? NONE : w->p->global[node];
	return global != NONE &&
		sis_region_in(region_of_node(w->s->x, global)->type, CR_MPI);
}

/* Distributes `ns` over the phase's entries. `whole`: `ns` is the length of the phase. If not, `ns`
 * is time outside of MPI, and entries of MPI get nothing. */
static void give_entries(const struct walk *w, const struct phase_span *phase, int64_t ns,
			 bool whole)
{
	const struct profile_phase *entry = w->p->profile.phase.at + phase->record->first;
	__int128 all = whole ? phase->end - phase->begin : 0;
	int64_t left = ns;
	for (size_t k = 0; !whole && k < phase->record->entries; k++)
		all += is_in_mpi(w, entry[k].node) ? 0 : phase_entry_ns(w->p, phase, &entry[k]);
	if (!whole && all < phase->outside_ns)
		all = phase->outside_ns;
	for (size_t k = 0; all > 0 && k < phase->record->entries; k++) {
		if (!whole && is_in_mpi(w, entry[k].node))
			continue;
		int64_t part = (__int128)phase_entry_ns(w->p, phase, &entry[k]) * ns / all;
		part = part < left ? part : left;
		give(w, entry[k].node, part, whole);
		left -= part;
	}
	give(w, OUTSIDE_MPI, left, false);
}

static void take_from_timeline(void *arg, uint32_t node, int64_t from, int64_t to)
{
	give(arg, node, to - from, true);
}

void interval_for_each(const struct intervals *s, uint32_t process, uint32_t slot, int64_t from,
		       int64_t to, interval_fn *take, void *arg)
{
	struct walk w = { s, &s->x->model.process.at[process], process, slot, take, arg };
	if (timeline_covers(s->timelines, process, slot, from, to)) {
		timeline_for_each(s->timelines, process, slot, from, to, take_from_timeline, &w);
		return;
	}
	const phase_spans *phases = &s->lane[process].phase;
	for (size_t i = phases_find(phases, slot, from); i < phases->n && from < to; i++) {
		const struct phase_span *phase = &s->lane[process].phase.at[i];
		int64_t begin = phase->begin > from ? phase->begin : from,
			end = phase->end < to ? phase->end : to;
		if (phase->slot != slot || phase->begin >= to)
			break;
		if (end <= begin)
			continue;
		give(&w, OUTSIDE_MPI, give_calls(&w, from, begin), false);
		bool whole = begin == phase->begin && end == phase->end;
		give_entries(&w, phase, whole ? end - begin : give_calls(&w, begin, end), whole);
		from = end;
	}
	give(&w, OUTSIDE_MPI, from < to ? give_calls(&w, from, to) : 0, false);
}
