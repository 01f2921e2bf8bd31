/* SPDX-License-Identifier: BSD-3-Clause */
/* unit_pieces.c - see unit_pieces.h. Owns what one unit does at a time; one thread.
 *
 * Between two events a unit is in one state. Single waits come from elsewhere: records of MPI, and
 * the order in which threads came to barriers. A wait takes its time from all states in which the
 * unit was meanwhile, because a wait in a loop of polls has the time between them, too. An idle
 * unit waits with the initial thread of its process. */
#include "causes/unit_pieces.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "timeline/activations.h"

/* Single waits with the same begin and end: parts of one wait. */
struct span { int64_t from, until; size_t first, end; };
/* by time; no two at once; next: the first one that has not ended */
struct spans { VEC(struct span) span; size_t next; };

struct reading {
	const struct experiment *x;
	const struct single_waits *waits;
	const struct timelines *timelines;
	const struct leaf_shares *shares; /* NULL: all waits count */
	const struct piece_reader *reader;
	void *self;
	bool *was_read;          /* by unit */
	VEC(struct piece_wait) wait; /* of a piece */
	/* of the unit that is read */
	const struct process *process;
	uint32_t pu, slot;
	struct spans own, initial; /* waits of the unit, and of the initial thread */
	int64_t last;            /* time of the last event */
	bool is_known;           /* what the thread does if no activation is open */
	VEC(uint32_t) open;      /* nodes */
};

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
static bool has_part(const struct reading *r, enum unit_state state, const struct wait_state *w,
		     enum sis_overhead leaf)
{
	if (w->node == NONE || r->process->global[w->node] == NONE)
		return false;
	const struct leaf_share key = { .pu = r->pu,
					.node = r->process->global[w->node],
					.state = IDLE,
					.leaf = leaf };
	return state != IDLE || !r->shares || leaf_shares_has(r->shares, &key);
}

static int64_t booked_of(const struct reading *r, const struct span *span)
{
	int64_t ns = 0;
	for (size_t i = span->first; i < span->end; i++) {
		const struct wait_state *w = &r->waits->wait.at[i];
		for (int k = 0; k < WAIT_STATE_PARTS && w->leaf[k] != O_NONE; k++)
			ns = clamp_add(ns, w->ns[k]);
	}
	return ns;
}

/* If more is booked than the wait lasted, its parts are that much shorter. */
static void take_span(struct reading *r, const struct span *span, struct unit_piece *piece)
{
	int64_t length = span->until - span->from, booked = booked_of(r, span);
	piece->all = booked > length ? booked : length;
	for (size_t i = span->first; i < span->end; i++) {
		const struct wait_state *w = &r->waits->wait.at[i];
		for (int k = 0; k < WAIT_STATE_PARTS && w->leaf[k] != O_NONE; k++)
			if (has_part(r, piece->state, w, w->leaf[k]))
				*vec_push(&r->wait) = (struct piece_wait){
					r->process->global[w->node], w->leaf[k], w->ns[k]
				};
	}
	piece->wait = r->wait.at;
	piece->waits = r->wait.n;
}

/* -- times ------------------------------------------------------------------------------------- */

/* The unit was in one state. */
static void add_time(struct reading *r, enum unit_state state, uint32_t node, int64_t from,
		     int64_t to)
{
	while (from < to) {
		struct unit_piece piece = { .state = state, .node = node, .from = from, .to = to,
					    .all = 1 };
		const struct span *span = span_at(state == IDLE ? &r->initial : &r->own, from);
		r->wait.n = 0;
		if (span && span->from > from) {
			piece.to = span->from < to ? span->from : to;
		} else if (span) {
			piece.to = span->until < to ? span->until : to;
			take_span(r, span, &piece);
		}
		r->reader->piece(r->self, &piece);
		from = piece.to;
	}
}

static void add_idle(void *arg, uint32_t node, int64_t from, int64_t to)
{
	struct reading *r = arg;
	add_time(r, IDLE, node == NONE ? NONE : r->process->global[node], from, to);
}

/* Time passes until `ns`, in the innermost activation or outside of all. There, the initial thread
 * is in the root, and others are idle: a trace does not tell whether they exist. */
static void pass(struct reading *r, int64_t ns)
{
	const struct process *p = r->process;
	int64_t from = r->last > p->start_ns ? r->last : p->start_ns,
		to = ns < p->end_ns ? ns : p->end_ns;
	uint32_t node = r->open.n ? r->open.at[r->open.n - 1] : r->x->model.root;
	r->last = ns > r->last ? ns : r->last;
	if (node == NONE || (!r->open.n && !r->is_known))
		add_time(r, NOT_KNOWN, NONE, from, to);
	else if (r->open.n || r->slot == 0)
		add_time(r, IN_NODE, node, from, to);
	else if (from < to)
		timeline_for_each(r->timelines, p->index, 0, from, to, add_idle, r);
}

/* Before the first event, the thread was outside of all regions. */
static void begin_unit(void *self, uint32_t pu)
{
	struct reading *r = self;
	r->process = &r->x->model.process.at[r->x->model.pu.at[pu].process];
	r->pu = pu;
	r->slot = r->x->model.pu.at[pu].slot;
	r->last = r->process->start_ns;
	r->is_known = true;
	r->was_read[pu] = true;
	list_spans(&r->own, r->waits, pu);
	list_spans(&r->initial, r->waits, r->process->first_pu);
	r->reader->begin_unit(r->self, pu);
}

static void enter(void *self, const struct activation *activation, int64_t ns, bool begins)
{
	struct reading *r = self;
	(void)begins;
	pass(r, ns);
	*vec_push(&r->open) = activation->node;
}

static void leave(void *self, const struct activation *activation, int64_t ns)
{
	struct reading *r = self;
	(void)activation;
	pass(r, ns);
	r->open.n--;
}

static void stop(void *self, int64_t ns)
{
	struct reading *r = self;
	pass(r, ns);
	r->is_known = false;
}

/* If regions are open when the stream begins, the trace was switched on later than the process
 * began. */
static void resume(void *self, bool knows_outer, bool some_open, int64_t ns)
{
	struct reading *r = self;
	if (some_open && !r->open.n && r->last < ns)
		r->is_known = false;
	pass(r, ns);
	r->is_known = knows_outer;
}

static void end_unit(void *self)
{
	struct reading *r = self;
	pass(r, r->process->end_ns);
	r->reader->end_unit(r->self);
	vec_free(&r->own.span), vec_free(&r->initial.span), vec_free(&r->open);
}

/* Units whose threads have no events: idle if the trace is whole. */
static void add_unread(struct reading *r)
{
	for (uint32_t pu = 0; pu < r->x->model.pu.n; pu++) {
		if (r->was_read[pu])
			continue;
		begin_unit(r, pu);
		r->is_known = timelines_whole(r->timelines, r->process->index);
		end_unit(r);
	}
}

uint64_t unit_pieces_read(const struct single_waits *waits, const struct timelines *timelines,
			  const struct leaf_shares *shares, struct traces *traces,
			  const struct piece_reader *reader, void *self)
{
	static const struct activation_reader activations = {
		.unit = begin_unit,
		.enter = enter,
		.leave = leave,
		.pause = stop,
		.resume = resume,
		.end_unit = end_unit,
	};
	const struct experiment *x = waits->x;
	struct reading r = {
		.x = x,
		.waits = waits,
		.timelines = timelines,
		.shares = shares,
		.reader = reader,
		.self = self,
		.was_read = mem_alloc(x->model.pu.n + 1, sizeof *r.was_read),
	};
	uint64_t unknown = activations_read(x, traces, 0, -1, &activations, &r);
	add_unread(&r);
	vec_free(&r.wait);
	free(r.was_read);
	return unknown;
}

void idle_pieces_read(const struct single_waits *waits, const struct timelines *timelines,
		      uint32_t process, int64_t from, int64_t to,
		      const struct piece_reader *reader, void *self)
{
	const struct process *p = &waits->x->model.process.at[process];
	struct reading r = {
		.x = waits->x,
		.waits = waits,
		.timelines = timelines,
		.reader = reader,
		.self = self,
		.process = p,
		.pu = p->first_pu,
	};
	list_spans(&r.initial, waits, p->first_pu);
	timeline_for_each(timelines, process, 0, from, to, add_idle, &r);
	vec_free(&r.initial.span), vec_free(&r.wait);
}
