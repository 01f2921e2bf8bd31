/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_leaves.c - see trace_leaves.h. Owns the pieces of one unit at a time; one thread.
 *
 * Activations tell how long a unit was in each node. So pieces in nodes are needed only where a
 * single wait took of them. Of an idle time, a page could not tell where the initial thread was,
 * and of an unknown one nothing.
 *
 * An idle piece gets the node in which its time is booked, which is known when the unit has ended.
 * Successive ones mostly have the same node then, and become one. */
#include "view/trace_leaves.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "causes/unit_pieces.h"

enum { MOST_SHARES = 2000000 }; /* bookings; with more, a page has no leaves of intervals */

struct making {
	const struct experiment *x;
	struct trace_leaves *to;
	struct tiles *tiles;
	struct traced_nodes *nodes;
	struct leaf_shares share;
	/* of the unit */
	struct unit_times times;
	size_t first_wait;       /* in to->wait */
	VEC(struct tile_piece) piece; /* node: of the call graph */
	VEC(struct tile_piece_wait) wait;
};

static int64_t after_start(const struct making *m, int64_t ns)
{
	int64_t after = clamp_subtract(ns, m->x->model.start_ns);
	return after > 0 ? after : 0;
}

static uint32_t place_of(struct making *m, uint32_t node)
{
	return node == NONE ? NONE : traced_nodes_put(m->nodes, node);
}

static void begin_unit(void *self, uint32_t pu)
{
	struct making *m = self;
	m->times.pu = pu;
	m->first_wait = m->to->wait.n;
}

/* A piece that goes on is one piece. */
static void keep_piece(struct making *m, const struct unit_piece *piece)
{
	struct tile_piece *last = m->piece.n ? &m->piece.at[m->piece.n - 1] : NULL;
	int64_t from = after_start(m, piece->from), to = after_start(m, piece->to);
	if (last && !last->waits && !piece->waits && last->state == (int)piece->state &&
	    last->node == piece->node && last->to_ns == from) {
		last->to_ns = to;
		return;
	}
	*vec_push(&m->piece) = (struct tile_piece){
		.from_ns = from, .to_ns = to, .all_ns = piece->all, .state = piece->state,
		.node = piece->node, .first_wait = m->wait.n - piece->waits, .waits = piece->waits
	};
}

static void add_piece(void *self, const struct unit_piece *piece)
{
	struct making *m = self;
	int64_t ns = piece->to - piece->from, left = ns;
	for (size_t i = 0; i < piece->waits; i++) {
		int64_t wait_ns = piece_wait_part(piece, i, ns);
		uint32_t wait = unit_times_add_wait(&m->times, piece_wait_state(piece),
						    piece->wait[i].node, piece->wait[i].leaf,
						    wait_ns, 0);
		*vec_push(&m->wait) = (struct tile_piece_wait){
			(uint32_t)m->first_wait + wait, piece->wait[i].ns
		};
		left -= wait_ns;
	}
	unit_times_add(&m->times, piece->state, piece->node, left, 0);
	if (piece->waits || piece->state != IN_NODE)
		keep_piece(m, piece);
}

/* Gives idle pieces their nodes, and all pieces the places of their nodes. */
static void place_pieces(struct making *m, const struct unit_shares *left)
{
	size_t n = 0;
	for (size_t i = 0; i < m->piece.n; i++) {
		struct tile_piece piece = m->piece.at[i], *last = n ? &m->piece.at[n - 1] : NULL;
		if (piece.state == IDLE)
			piece.node = unit_shares_idle_node(left, m->x, piece.node);
		piece.node = place_of(m, piece.node);
		if (last && !last->waits && !piece.waits && last->state == piece.state &&
		    last->node == piece.node && last->to_ns == piece.from_ns)
			last->to_ns = piece.to_ns;
		else
			m->piece.at[n++] = piece;
	}
	m->piece.n = n;
}

static void list_rows(struct making *m, const struct unit_shares *left)
{
	const struct unit_times *t = &m->times;
	for (size_t i = 0; i < t->time.n; i++)
		if (t->time.at[i].whole_ns > 0)
			*vec_push(&m->to->time) = (struct trace_time){
				t->pu, place_of(m, t->time.at[i].node), t->time.at[i].state,
				t->time.at[i].whole_ns
			};
	for (size_t i = 0; i < left->share.n; i++) {
		const struct leaf_share *share = &left->share.at[i];
		*vec_push(&m->to->share) = (struct trace_share){
			t->pu, place_of(m, share->node), share->state, share->leaf, share->ns
		};
	}
	for (size_t i = 0; i < t->wait.n; i++) {
		const struct unit_wait_time *wait = &t->wait.at[i];
		*vec_push(&m->to->wait) = (struct trace_wait){
			t->pu, place_of(m, wait->node), wait->leaf, wait->whole_ns, wait->booked_ns
		};
	}
}

static void end_unit(void *self)
{
	struct making *m = self;
	struct unit_shares left;
	unit_times_settle(&m->times, &m->share, m->x, &left);
	place_pieces(m, &left);
	list_rows(m, &left);
	tiles_add_pieces(m->tiles, m->times.pu, m->piece.at, m->piece.n, m->wait.at);
	unit_shares_release(&left);
	unit_times_clear(&m->times);
	vec_free(&m->piece), vec_free(&m->wait);
}

void trace_leaves_make(struct trace_leaves *leaves, struct tiles *tiles, struct traced_nodes *nodes,
		       const struct traced_leaves *sources, struct traces *traces)
{
	static const struct piece_reader reader = {
		.begin_unit = begin_unit,
		.piece = add_piece,
		.end_unit = end_unit,
	};
	struct making m = { .x = sources->waits.x, .to = leaves, .tiles = tiles, .nodes = nodes };
	*leaves = (struct trace_leaves){ .exists = false };
	leaf_shares_init(&m.share, m.x);
	leaves->bookings = m.share.share.n;
	leaves->exists = leaves->bookings <= MOST_SHARES;
	if (leaves->exists)
		unit_pieces_read(&sources->waits, &sources->timelines, &m.share, traces, &reader,
				 &m);
	leaf_shares_release(&m.share);
}

void trace_leaves_release(struct trace_leaves *l)
{
	vec_free(&l->time), vec_free(&l->share), vec_free(&l->wait);
}
