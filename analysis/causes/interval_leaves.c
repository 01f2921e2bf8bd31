/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_leaves.c - see interval_leaves.h. Owns the times of one unit at a time; one thread.
 *
 * Reads the whole trace, because factors are those of the whole run (leaf_parts.c). Between two
 * events a unit is in one state. Single waits come from elsewhere: records of MPI, and the order in
 * which threads came to barriers. A wait takes its time from all states in which the unit was
 * meanwhile, because a wait in a loop of polls has the time between them, too. An idle unit waits
 * with the initial thread of its process. */
#include "causes/interval_leaves.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/muldiv.h"
#include "causes/leaf_parts.h"
#include "timeline/activations.h"

/* Single waits with the same begin and end: parts of one wait. */
struct span { int64_t from, until; size_t first, end; };
/* by time; no two at once; next: the first one that has not ended */
struct spans { VEC(struct span) span; size_t next; };

struct adding {
	const struct experiment *x;
	const struct single_waits *waits;
	const struct timelines *timelines;
	struct interval_leaves *to;
	int64_t from, to_ns;     /* the interval, as in the experiment */
	struct leaf_shares share;
	bool *was_read;          /* by unit */
	/* of the unit that is read */
	const struct process *process;
	uint32_t slot;
	struct unit_times times;
	struct spans own, initial; /* waits of the unit, and of the initial thread */
	int64_t last;            /* time of the last event */
	bool is_known;           /* what the thread does if no activation is open */
	VEC(uint32_t) open;      /* nodes */
};

/* The part of a time that is in the interval. */
static int64_t clip(const struct adding *a, int64_t from, int64_t to)
{
	from = from > a->from ? from : a->from;
	to = to < a->to_ns ? to : a->to_ns;
	return to > from ? to - from : 0;
}

/* -- single waits ------------------------------------------------------------------------------ */

/* If waits overlap, the time of both belongs to the one that ended first. */
static void list_spans(struct spans *spans, const struct single_waits *s, uint32_t pu)
{
	int64_t before = INT64_MIN;
	spans->next = 0;
	for (size_t i = s->first[pu], end; i < s->first[pu + 1]; i = end) {
		const struct wait_state *w = &s->wait.at[i];
		int64_t from = w->enter > before ? w->enter : before;
		for (end = i + 1; end < s->first[pu + 1] && w[end - i].enter == w->enter &&
		     w[end - i].until == w->until;)
			end++;
		if (w->until > from)
			*vec_push(&spans->span) = (struct span){ from, w->until, i, end };
		before = w->until > before ? w->until : before;
	}
}

static const struct span *span_at(struct spans *s, int64_t ns)
{
	while (s->next < s->span.n && s->span.at[s->next].until <= ns)
		s->next++;
	return s->next < s->span.n ? &s->span.at[s->next] : NULL;
}

/* Whether a part of a wait counts for the unit. After its end a process is in no node. Not all
 * waits of the initial thread are those of idle units (classify/idle.c). */
static bool has_part(const struct adding *a, enum unit_state state, const struct wait_state *w,
		     enum sis_overhead leaf)
{
	if (w->node == NONE || a->process->global[w->node] == NONE)
		return false;
	const struct leaf_share key = { .pu = a->times.pu,
					.node = a->process->global[w->node],
					.state = IDLE,
					.leaf = leaf };
	return state != IDLE || leaf_shares_has(&a->share, &key);
}

static int64_t booked_of(const struct adding *a, const struct span *span)
{
	int64_t ns = 0;
	for (size_t i = span->first; i < span->end; i++) {
		const struct wait_state *w = &a->waits->wait.at[i];
		for (int k = 0; k < WAIT_STATE_PARTS && w->leaf[k] != O_NONE; k++)
			ns = clamp_add(ns, w->ns[k]);
	}
	return ns;
}

/* how much of a time was a wait, in the whole run and in the interval */
struct taken { int64_t whole_ns, part_ns; };

/* Adds a time within a wait. If more is booked than the wait lasted, its parts are that much
 * shorter. */
static struct taken take_span(struct adding *a, enum unit_state state, const struct span *span,
			      int64_t from, int64_t to)
{
	int64_t length = span->until - span->from, booked = booked_of(a, span), ns = to - from,
		all = booked > length ? booked : length, clipped = clip(a, from, to);
	struct taken taken = { 0, 0 };
	for (size_t i = span->first; i < span->end; i++) {
		const struct wait_state *w = &a->waits->wait.at[i];
		for (int k = 0; k < WAIT_STATE_PARTS && w->leaf[k] != O_NONE; k++) {
			if (!has_part(a, state, w, w->leaf[k]))
				continue;
			int64_t whole = muldiv(ns, w->ns[k], all),
				part = muldiv(clipped, w->ns[k], all);
			unit_times_add_wait(&a->times, state, a->process->global[w->node],
					    w->leaf[k], whole, part);
			taken.whole_ns += whole;
			taken.part_ns += part;
		}
	}
	return taken;
}

/* -- times ------------------------------------------------------------------------------------- */

/* The unit was in one state. */
static void add_time(struct adding *a, enum unit_state state, uint32_t node, int64_t from,
		     int64_t to)
{
	while (from < to) {
		struct taken taken = { 0, 0 };
		int64_t end = to;
		const struct span *span = span_at(state == IDLE ? &a->initial : &a->own, from);
		if (span && span->from > from)
			end = span->from < to ? span->from : to;
		else if (span) {
			end = span->until < to ? span->until : to;
			taken = take_span(a, state == IDLE ? IDLE : IN_NODE, span, from, end);
		}
		unit_times_add(&a->times, state, node, end - from - taken.whole_ns,
			       clip(a, from, end) - taken.part_ns);
		from = end;
	}
}

static void add_idle(void *arg, uint32_t node, int64_t from, int64_t to)
{
	struct adding *a = arg;
	add_time(a, IDLE, node == NONE ? NONE : a->process->global[node], from, to);
}

/* Time passes until `ns`, in the innermost activation or outside of all. There, the initial thread
 * is in the root, and others are idle: a trace does not tell whether they exist. */
static void pass(struct adding *a, int64_t ns)
{
	const struct process *p = a->process;
	int64_t from = a->last > p->start_ns ? a->last : p->start_ns,
		to = ns < p->end_ns ? ns : p->end_ns;
	uint32_t node = a->open.n ? a->open.at[a->open.n - 1] : a->x->model.root;
	a->last = ns > a->last ? ns : a->last;
	if (node == NONE || (!a->open.n && !a->is_known))
		add_time(a, NOT_KNOWN, NONE, from, to);
	else if (a->open.n || a->slot == 0)
		add_time(a, IN_NODE, node, from, to);
	else if (from < to)
		timeline_for_each(a->timelines, p->index, 0, from, to, add_idle, a);
}

/* Before the first event, the thread was outside of all regions. */
static void begin_unit(void *self, uint32_t pu)
{
	struct adding *a = self;
	a->process = &a->x->model.process.at[a->x->model.pu.at[pu].process];
	a->slot = a->x->model.pu.at[pu].slot;
	a->times.pu = pu;
	a->last = a->process->start_ns;
	a->is_known = true;
	a->was_read[pu] = true;
	list_spans(&a->own, a->waits, pu);
	list_spans(&a->initial, a->waits, a->process->first_pu);
}

static void enter(void *self, const struct activation *activation, int64_t ns, bool begins)
{
	struct adding *a = self;
	(void)begins;
	pass(a, ns);
	*vec_push(&a->open) = activation->node;
}

static void leave(void *self, const struct activation *activation, int64_t ns)
{
	struct adding *a = self;
	(void)activation;
	pass(a, ns);
	a->open.n--;
}

static void stop(void *self, int64_t ns)
{
	struct adding *a = self;
	pass(a, ns);
	a->is_known = false;
}

/* If regions are open when the stream begins, the trace was switched on later than the process
 * began. */
static void resume(void *self, bool knows_outer, bool some_open, int64_t ns)
{
	struct adding *a = self;
	if (some_open && !a->open.n && a->last < ns)
		a->is_known = false;
	pass(a, ns);
	a->is_known = knows_outer;
}

static void add_outside(struct adding *a, enum sis_overhead leaf, int64_t from, int64_t to)
{
	int64_t ns = clip(a, from, to);
	if (ns)
		*vec_push(&a->to->leaf) = (struct interval_leaf){ a->x->model.root, a->times.pu,
								  leaf, ns };
}

static void end_unit(void *self)
{
	struct adding *a = self;
	pass(a, a->process->end_ns);
	add_outside(a, OCTRL_SPAWN, a->x->model.start_ns, a->process->start_ns);
	unit_times_divide(&a->times, &a->share, a->x, a->to);
	add_outside(a, OSYNC_FINWAIT, a->process->end_ns, a->x->model.end_ns);
	unit_times_clear(&a->times);
	vec_free(&a->own.span), vec_free(&a->initial.span), vec_free(&a->open);
}

/* Units whose threads have no events: idle if the trace is whole. */
static void add_unread(struct adding *a)
{
	for (uint32_t pu = 0; pu < a->x->model.pu.n; pu++) {
		if (a->was_read[pu])
			continue;
		begin_unit(a, pu);
		a->is_known = timelines_whole(a->timelines, a->process->index);
		end_unit(a);
	}
}

void interval_leaves_find(struct interval_leaves *l, const struct single_waits *waits,
			  const struct timelines *timelines, struct traces *traces,
			  int64_t from_ns, int64_t to_ns)
{
	static const struct activation_reader reader = {
		.unit = begin_unit,
		.enter = enter,
		.leave = leave,
		.pause = stop,
		.resume = resume,
		.end_unit = end_unit,
	};
	const struct experiment *x = waits->x;
	struct adding a = {
		.x = x,
		.waits = waits,
		.timelines = timelines,
		.to = l,
		.from = clamp_add(x->model.start_ns, from_ns),
		.to_ns = clamp_add(x->model.start_ns, to_ns),
		.was_read = mem_alloc(x->model.pu.n + 1, sizeof *a.was_read),
	};
	*l = (struct interval_leaves){ .leaf = { 0 } };
	vec_alloc(&l->unknown_ns, x->model.pu.n);
	vec_alloc(&l->uncertain_ns, x->model.pu.n);
	leaf_shares_init(&a.share, x);
	l->traces_without_profile = activations_read(x, traces, 0, -1, &reader, &a);
	add_unread(&a);
	leaf_shares_release(&a.share);
	free(a.was_read);
}

void interval_leaves_release(struct interval_leaves *l)
{
	vec_free(&l->leaf), vec_free(&l->unknown_ns), vec_free(&l->uncertain_ns);
}
