/* SPDX-License-Identifier: BSD-3-Clause */
/* cost_pieces.c - collects the pieces of delay costs, and cuts them to an interval. Owns the
 * pieces; called by one thread. If a wait is cut at the border of an interval, each of its pieces
 * is cut in the same proportion. */
#include "experiment/causes/cost_pieces.h"

#include "base/muldiv.h"

/* The times of a wait. `booked` may be longer than until - enter. */
struct length { int64_t enter, until, booked; };

static int64_t cut(const struct length *l, int64_t ns, int64_t from, int64_t to)
{
	int64_t length = l->until - l->enter, all = l->booked > length ? l->booked : length;
	from = from > l->enter ? from : l->enter;
	to = to < l->until ? to : l->until;
	return to > from ? muldiv(ns, to - from, all) : 0;
}

static int64_t booked_of(const struct wait_state *w)
{
	int64_t ns = 0;
	for (int k = 0; k < WAIT_STATE_PARTS && w->leaf[k] != O_NONE; k++)
		ns += w->ns[k];
	return ns;
}

int64_t cost_piece_part(const struct cost_piece *p, int64_t ns, int64_t from, int64_t to)
{
	return cut(&(struct length){ p->enter, p->until, p->booked_ns }, ns, from, to);
}

int64_t wait_part_within(const struct cost_pieces *i, const struct wait_state *w, int64_t ns)
{
	return cut(&(struct length){ w->enter, w->until, booked_of(w) }, ns, i->from, i->to);
}

void cost_pieces_add(struct cost_pieces *i, const struct wait_state *w,
		     const struct cost_piece *piece)
{
	struct cost_piece *p = vec_push(&i->piece);
	*p = *piece;
	p->enter = w->enter;
	p->until = w->until;
	p->booked_ns = booked_of(w);
}

void cost_pieces_release(struct cost_pieces *i)
{
	vec_free(&i->piece);
}
