/* SPDX-License-Identifier: BSD-3-Clause */
/* lacks.c - finds when working threads lacked a processor. Called by one thread; struct lacks
 * belongs to the caller.
 *
 * If a thread lacks a processor while it waits, it makes no other thread wait. So such counts are
 * left out. But if a thread begins late in a team because it lacks a processor, it makes other
 * threads wait. So such a count stays. */
#include "experiment/causes/lacks.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/model/clock.h"
#include "experiment/model/regions.h"

static int by_unit_and_time(const void *va, const void *vb)
{
	const struct lack_span *a = va, *b = vb;
	return ORDER(a->unit, b->unit) ?: ORDER(a->from, b->from);
}

/* By summary: the time that is booked as a lack of processors. */
static int64_t *lacks_by_summary(const struct experiment *x)
{
	int64_t *ns = mem_alloc(x->model.summary.n + 1, sizeof *ns);
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		uint32_t s = b->leaf == OLOSS_NOCPU ? experiment_summary(x, b->node, b->pu) :
						      INDEX_NONE;
		if (s != INDEX_NONE)
			ns[s] += b->ns;
	}
	return ns;
}

void lacks_init(struct lacks *l, const struct experiment *x)
{
	*l = (struct lacks){ .booked = lacks_by_summary(x) };
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		for (size_t k = 0; k < p->profile.no_processor.n; k++) {
			const struct profile_no_processor *n = &p->profile.no_processor.at[k];
			int64_t from = clock_ns(&p->clock, n->enter),
				to = clock_ns(&p->clock, n->exit);
			uint32_t node = n->node == NONE ? NONE : p->global[n->node];
			bool was_in_wait = node != NONE &&
				sis_overhead_in(region_leaf(region_of_node(x, node)), OSYNC);
			if (n->slot < p->slots && from < to && !was_in_wait)
				*vec_push(&l->span) = (struct lack_span){
					p->first_pu + n->slot, from, to,
					n->ns < to - from ? n->ns : to - from };
		}
	}
	vec_sort(&l->span, by_unit_and_time);
}

void lacks_release(struct lacks *l)
{
	vec_free(&l->span);
	free(l->booked);
}

int64_t lacks_within(const struct lacks *l, uint32_t unit, int64_t from, int64_t to)
{
	int64_t ns = 0;
	size_t i = search_first(k, 0, l->span.n, l->span.at[k].unit < unit ||
				(l->span.at[k].unit == unit && l->span.at[k].to <= from));
	for (; i < l->span.n && l->span.at[i].unit == unit && l->span.at[i].from < to; i++) {
		const struct lack_span *s = &l->span.at[i];
		int64_t begin = s->from > from ? s->from : from, end = s->to < to ? s->to : to;
		ns += begin < end ? muldiv(s->ns, end - begin, s->to - s->from) : 0;
	}
	return ns;
}

/* -- lacks in delay costs ---------------------------------------------------------------------- */

void lacks_divide_costs(const struct experiment *x, struct experiment_causes *c)
{
	int64_t *lack = lacks_by_summary(x);
	for (size_t i = 0; i < c->delay_cost.n; i++) {
		struct delay_cost *d = &c->delay_cost.at[i];
		int64_t rest = d->ns - d->examined_ns - d->passed_ns;
		uint32_t s = d->culprit == NONE || d->culprit_node == NONE ? INDEX_NONE :
			experiment_summary(x, d->culprit_node, d->culprit);
		int64_t all = s == INDEX_NONE ? 0 : x->model.summary.at[s].excl_ns;
		if (rest > 0 && all > 0 && lack[s] > 0)
			d->no_processor_ns += lack[s] < all ? muldiv(rest, lack[s], all) : rest;
	}
	free(lack);
}
