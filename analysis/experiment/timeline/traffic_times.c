/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic_times.c - finds the traffic of an interval of the run. Called by one thread; the lists
 * belong to the caller.
 *
 * A record has the times of its call. So the calls of an interval are known, and mostly their
 * bytes. There are two exceptions. The records of collective operations have no bytes, so the calls
 * of a row share the bytes of the row. If a process's log was full, it has only the first calls,
 * and the rows are estimates for the whole run. The trace has all calls, but not their receivers.
 * So the calls of a node in the interval stand for a part of each row of the node.
 *
 * Each value of a row is divided in proportion to a value that is known for single calls. If all
 * calls have records with the value, this is the value itself, and the part is exact. */
#include "experiment/timeline/traffic_times.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/muldiv.h"
#include "experiment/timeline/activations.h"

bool *traffic_list_grown(const struct experiment *x)
{
	const struct experiment_match *m = &x->match;
	uint64_t *records = mem_alloc(m->traffic.n + 1, sizeof *records);
	bool *grown = mem_alloc(m->traffic.n + 1, sizeof *grown);
	for (size_t i = 0; i < m->traffic_call.n; i++)
		records[m->traffic_call.at[i].traffic] += !m->traffic_call.at[i].receives;
	for (size_t i = 0; i < m->traffic.n; i++)
		grown[i] = m->traffic.at[i].calls > records[i];
	free(records);
	return grown;
}

/* Fills `first`: for each node and PU, the first row that has grown (traffic_list_grown). */
static void find_first_grown(struct map *first, const struct experiment *x)
{
	bool *grown = traffic_list_grown(x);
	for (size_t i = 0; i < x->match.traffic.n; i++)
		if (grown[i])
			map_put(first, x->match.traffic.at[i].node, x->match.traffic.at[i].pu,
				(uint32_t)i, NULL);
	free(grown);
}

/* -- calls in the trace ------------------------------------------------------------------------ */

struct listing {
	const struct experiment *x;
	traffic_times *list;
	struct map first;        /* (node, PU) -> the first grown row */
	uint32_t pu;
};

static void begin_unit(void *self, uint32_t pu)
{
	((struct listing *)self)->pu = pu;
}

/* Adds a call of the trace. An activation whose begin is missing is left out. */
static void leave(void *self, const struct activation *a, int64_t ns)
{
	struct listing *l = self;
	uint32_t traffic = a->begins && a->node != NONE ? map_get(&l->first, a->node, l->pu) :
							  MAP_NONE;
	if (traffic != MAP_NONE)
		*vec_push(l->list) = (struct traffic_time){
			.traffic = traffic,
			.kind = TRAFFIC_STANDS_FOR,
			.enter = a->enter_ns,
			.exit = ns,
		};
}

void traffic_times_list(traffic_times *list, const struct experiment *x, struct traces *traces)
{
	static const struct activation_reader reader = { .unit = begin_unit, .leave = leave };
	struct listing l = { .x = x, .list = list };
	*list = (traffic_times){ 0 };
	for (size_t i = 0; i < x->match.traffic_call.n; i++) {
		const struct traffic_call *c = &x->match.traffic_call.at[i];
		*vec_push(list) = (struct traffic_time){
			.traffic = c->traffic,
			.kind = c->receives ? TRAFFIC_RECEIVES : TRAFFIC_SENDS,
			.enter = c->enter,
			.exit = c->exit,
			.bytes = c->bytes,
		};
	}
	find_first_grown(&l.first, x);
	if (l.first.n)
		activations_read(x, traces, 0, -1, &reader, &l);
	map_free(&l.first);
}

/* -- the parts of an interval ------------------------------------------------------------------ */

struct sums { int64_t calls, bytes, ns, receive_ns; };
struct adding {
	int64_t from, to;        /* begin and end of the interval */
	struct sums *own;        /* by row: sums of its calls with records */
	struct sums *trace;      /* by first grown row: sums of calls in the trace */
	struct map first;        /* (node, PU) -> the first grown row */
	bool *grown;             /* by row */
};

static void add_time(struct adding *a, const struct traffic_time *t)
{
	struct sums *sums = &(t->kind == TRAFFIC_STANDS_FOR ? a->trace : a->own)[t->traffic];
	int64_t from = t->enter > a->from ? t->enter : a->from,
		to = t->exit < a->to ? t->exit : a->to, ns = to > from ? to - from : 0;
	bool begins = t->enter >= a->from && t->enter < a->to;
	if (t->kind == TRAFFIC_RECEIVES) {
		sums->receive_ns += ns;
		return;
	}
	sums->calls += begins;
	sums->bytes += begins ? (int64_t)t->bytes : 0;
	sums->ns += ns;
}

static void add_up(struct adding *a, const struct experiment *x, const traffic_times *list,
		   int64_t from, int64_t to)
{
	*a = (struct adding){
		.from = from, .to = to,
		.own = mem_alloc(x->match.traffic.n + 1, sizeof *a->own),
		.trace = mem_alloc(x->match.traffic.n + 1, sizeof *a->trace),
		.grown = traffic_list_grown(x),
	};
	find_first_grown(&a->first, x);
	for (size_t i = 0; i < list->n; i++)
		add_time(a, &list->at[i]);
}

static void adding_release(struct adding *a)
{
	map_free(&a->first);
	free(a->own), free(a->trace), free(a->grown);
}

/* The sums of the row's calls or, if `by_trace`, the sums of the calls in the trace that stand for
 * the row. */
static const struct sums *sums_of(const struct adding *a, const struct traffic *t, size_t row,
				  bool by_trace)
{
	return by_trace ? &a->trace[map_get(&a->first, t->node, t->pu)] : &a->own[row];
}

void traffic_bases_list(traffic_bases *bases, const struct experiment *x,
			const traffic_times *list)
{
	struct adding a;
	add_up(&a, x, list, INT64_MIN, INT64_MAX);
	*bases = (traffic_bases){ 0 };
	for (size_t i = 0; i < x->match.traffic.n; i++) {
		const struct traffic *t = &x->match.traffic.at[i];
		bool by_trace = a.grown[i] && sums_of(&a, t, i, true)->calls > 0;
		const struct sums *s = sums_of(&a, t, i, by_trace);
		*vec_push(bases) = (struct traffic_basis){ by_trace, s->calls, s->bytes, s->ns,
							   s->receive_ns };
	}
	adding_release(&a);
}

static int64_t divide(int64_t whole, int64_t part, int64_t all)
{
	return all > 0 ? muldiv(whole, part, all) : 0;
}

static struct traffic part_of(const struct traffic *t, const struct traffic_basis *all,
			      const struct sums *in)
{
	bool by_calls = all->by_trace || t->target == NONE;
	struct traffic part = *t;
	part.calls = (uint64_t)divide((int64_t)t->calls, in->calls, all->calls);
	part.bytes = by_calls ?
		(uint64_t)divide((int64_t)t->bytes, in->calls, all->calls) :
		(uint64_t)divide((int64_t)t->bytes, in->bytes, all->bytes);
	part.ns = divide(t->ns, in->ns, all->ns);
	part.receive_ns = all->by_trace ?
		divide(t->receive_ns, in->calls, all->calls) :
		divide(t->receive_ns, in->receive_ns, all->receive_ns);
	part.estimated |= t->target == NONE && part.bytes > 0 && in->calls < all->calls;
	return part;
}

void traffic_parts_find(struct traffic_parts *p, const struct experiment *x,
			const traffic_times *list, int64_t from_ns, int64_t to_ns)
{
	struct adding a;
	traffic_bases bases;
	traffic_bases_list(&bases, x, list);
	add_up(&a, x, list, clamp_add(x->model.start_ns, from_ns),
	       to_ns < 0 ? INT64_MAX : clamp_add(x->model.start_ns, to_ns));
	*p = (struct traffic_parts){ 0 };
	for (size_t i = 0; i < bases.n; i++) {
		const struct traffic *t = &x->match.traffic.at[i];
		*vec_push(&p->part) = part_of(t, &bases.at[i],
					      sums_of(&a, t, i, bases.at[i].by_trace));
	}
	adding_release(&a);
	vec_free(&bases);
}

void traffic_parts_release(struct traffic_parts *p)
{
	vec_free(&p->part);
}
