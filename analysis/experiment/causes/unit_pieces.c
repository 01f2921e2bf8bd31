/* SPDX-License-Identifier: BSD-3-Clause */
/* unit_pieces.c - reads traces as pieces of time, in which a unit was in one state. Owns the data
 * of one unit at a time; called by one thread.
 *
 * Between two events of the trace, a unit is in one state. Single waits have other sources, such as
 * records of MPI (single_waits.h). During a wait in a loop of polls, the unit may be in several
 * states, because the wait includes the time between the polls. So a wait takes its time from all
 * states during the wait. While a unit is idle, the waits of its process's initial thread count as
 * waits of the unit. */
#include "experiment/causes/unit_pieces.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "experiment/timeline/activations.h"

/* Single waits with the same begin and end. They are parts of one wait. */
struct span { int64_t from, until; size_t first, end; };
/* sorted by time, without overlap; next: index of the first span that has not ended */
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
};

/* -- single waits ------------------------------------------------------------------------------ */

/* Lists the waits of a unit. Where two waits overlap, the time belongs to the wait that ended
 * first. */
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

/* Whether a part of a wait counts for the unit. A wait after the end of the process is in no node,
 * and does not count. For an idle unit, only those waits of the initial thread count that
 * experiment/classify/idle.c has booked for the unit. */
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

/* Adds the wait to the piece. If more time is booked than the wait lasted, its parts are reduced in
 * proportion. */
static void take_span(struct reading *r, const struct span *span, struct unit_piece *piece)
{
	int64_t length = span->until - span->from, booked = 0;
	for (size_t i = span->first; i < span->end; i++) {
		const struct wait_state *w = &r->waits->wait.at[i];
		for (int k = 0; k < WAIT_STATE_PARTS && w->leaf[k] != O_NONE; k++)
			booked = clamp_add(booked, w->ns[k]);
	}
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

/* -- pieces of a unit -------------------------------------------------------------------------- */

/* Gives a time in one state to the reader, cut into pieces where waits begin and end. */
static void add_time(struct reading *r, enum unit_state state, uint32_t node, int64_t from,
		     int64_t to)
{
	struct spans *s = state == IDLE ? &r->initial : &r->own;
	while (from < to) {
		struct unit_piece piece = { .state = state, .node = node, .from = from, .to = to,
					    .all = 1 };
		while (s->next < s->span.n && s->span.at[s->next].until <= from)
			s->next++;
		const struct span *span = s->next < s->span.n ? &s->span.at[s->next] : NULL;
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

/* Outside of all activations, the initial thread is in the root. Other units count as idle, because
 * a trace does not say whether they have a thread at that time. */
static void pass(void *self, const struct activation *in, bool is_known, int64_t from, int64_t to)
{
	struct reading *r = self;
	uint32_t node = in ? in->node : r->x->model.root;
	to = to < r->process->end_ns ? to : r->process->end_ns;
	if (node == NONE || (!in && !is_known))
		add_time(r, NOT_KNOWN, NONE, from, to);
	else if (in || r->slot == 0)
		add_time(r, IN_NODE, node, from, to);
	else if (from < to)
		timeline_for_each(r->timelines, r->process->index, 0, from, to, add_idle, r);
}

static void begin_unit(void *self, uint32_t pu)
{
	struct reading *r = self;
	r->process = &r->x->model.process.at[r->x->model.pu.at[pu].process];
	r->pu = pu;
	r->slot = r->x->model.pu.at[pu].slot;
	r->was_read[pu] = true;
	list_spans(&r->own, r->waits, pu);
	list_spans(&r->initial, r->waits, r->process->first_pu);
	r->reader->begin_unit(r->self, pu);
}

static void end_unit(void *self)
{
	struct reading *r = self;
	r->reader->end_unit(r->self);
	vec_free(&r->own.span), vec_free(&r->initial.span);
}

uint64_t unit_pieces_read(const struct single_waits *waits, const struct timelines *timelines,
			  const struct leaf_shares *shares, struct traces *traces,
			  const struct piece_reader *reader, void *self)
{
	static const struct activation_reader activations = {
		.unit = begin_unit,
		.time = pass,
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
	/* units whose threads have no events are idle if the trace is whole */
	for (uint32_t pu = 0; pu < x->model.pu.n; pu++) {
		if (r.was_read[pu])
			continue;
		begin_unit(&r, pu);
		pass(&r, NULL, timelines_whole(timelines, r.process->index), r.process->start_ns,
		     r.process->end_ns);
		end_unit(&r);
	}
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
