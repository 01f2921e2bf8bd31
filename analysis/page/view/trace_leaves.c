/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_leaves.c - makes the data with which the page divides intervals among leaves
 * (trace_leaves.h). Owns the pieces of one unit, and the idle times of all units. Called by one
 * thread.
 *
 * Activations tell how long a unit was in each node. So a piece in a node is written only if it has
 * single waits. For an idle time, the page needs the node in which the initial thread was. This
 * node is the same for all idle units of a process, so it is written once for each process. */
#include "page/view/trace_leaves.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/compress.h"
#include "base/sort.h"
#include "experiment/causes/unit_pieces.h"
#include "page/view/page_leaf.h"

enum { MOST_SHARES = 2000000 }; /* bookings; if there are more, a page cannot divide intervals */

/* A time in which a unit of the process was idle, on the clock of the experiment. */
struct idle_time { uint32_t process; int64_t from, to; };

struct making {
	const struct experiment *x;
	struct trace_leaves *to;
	struct tiles *tiles;
	struct traced_nodes *nodes;
	struct leaf_shares share;
	VEC(struct idle_time) idle;
	/* of the current unit */
	struct unit_times times;
	size_t first_wait;       /* the unit's first one in to->wait */
	VEC(struct tile_piece) piece;
	VEC(struct tile_piece_wait) wait;
};

static int64_t after_start(const struct making *m, int64_t ns)
{
	int64_t after = clamp_subtract(ns, m->x->model.start_ns);
	return after > 0 ? after : 0;
}

static uint32_t row_of(struct making *m, uint32_t node)
{
	return node == NONE ? NONE : traced_nodes_put(m->nodes, node);
}

/* The last `waits` elements of m->wait belong to the piece. A piece that continues the one before
 * is added to it. */
static void keep_piece(struct making *m, const struct unit_piece *piece, uint32_t node,
		       size_t waits)
{
	struct tile_piece *last = m->piece.n ? &m->piece.at[m->piece.n - 1] : NULL;
	int64_t from = after_start(m, piece->from), to = after_start(m, piece->to);
	if (last && !last->waits && !waits && last->state == (int)piece->state &&
	    last->node == node && last->to_ns == from) {
		last->to_ns = to;
		return;
	}
	*vec_push(&m->piece) = (struct tile_piece){
		.from_ns = from, .to_ns = to, .all_ns = piece->all, .state = piece->state,
		.node = node, .first_wait = m->wait.n - waits, .waits = waits
	};
}

static void forget_pieces(struct making *m)
{
	m->piece.n = m->wait.n = 0;
}

/* -- units ------------------------------------------------------------------------------------- */

static void begin_unit(void *self, uint32_t pu)
{
	struct making *m = self;
	m->times.pu = pu;
	m->first_wait = m->to->wait.n;
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
		left -= wait_ns;
		if (piece->state != IDLE)
			*vec_push(&m->wait) = (struct tile_piece_wait){
				(uint32_t)m->first_wait + wait, piece->wait[i].ns
			};
	}
	unit_times_add(&m->times, piece->state, piece->node, left, 0);
	if (piece->state == IDLE) {
		uint32_t process = m->x->model.pu.at[m->times.pu].process;
		struct idle_time *last = m->idle.n ? &m->idle.at[m->idle.n - 1] : NULL;
		keep_piece(m, piece, NONE, 0);
		if (last && last->process == process && last->to == piece->from)
			last->to = piece->to;
		else
			*vec_push(&m->idle) = (struct idle_time){ process, piece->from, piece->to };
	} else if (piece->waits || piece->state != IN_NODE) {
		keep_piece(m, piece, row_of(m, piece->node), piece->waits);
	}
}

static void end_unit(void *self)
{
	struct making *m = self;
	const struct unit_times *t = &m->times;
	struct unit_shares left;
	unit_times_settle(&m->times, &m->share, m->x, &left);
	for (size_t i = 0; i < t->time.n; i++)
		if (t->time.at[i].whole_ns > 0)
			*vec_push(&m->to->time) = (struct trace_time){
				t->pu, row_of(m, t->time.at[i].node), t->time.at[i].state,
				t->time.at[i].whole_ns
			};
	for (size_t i = 0; i < left.share.n; i++) {
		const struct leaf_share *share = &left.share.at[i];
		*vec_push(&m->to->share) = (struct trace_share){
			t->pu, row_of(m, share->node), share->state, share->leaf, share->ns
		};
	}
	for (size_t i = 0; i < t->wait.n; i++) {
		const struct unit_wait_time *wait = &t->wait.at[i];
		*vec_push(&m->to->wait) = (struct trace_wait){
			t->pu, row_of(m, wait->node), wait->state, wait->leaf, wait->whole_ns,
			wait->booked_ns
		};
	}
	tiles_add_pieces(m->tiles, m->times.pu, PIECES_OF_UNIT, m->piece.at, m->piece.n,
			 m->wait.at);
	unit_shares_release(&left);
	unit_times_clear(&m->times);
	forget_pieces(m);
}

/* -- idle times -------------------------------------------------------------------------------- */

static int by_process_and_time(const void *va, const void *vb)
{
	const struct idle_time *a = va, *b = vb;
	return ORDER(a->process, b->process) ?: ORDER(a->from, b->from) ?: ORDER(a->to, b->to);
}

static void add_initial_piece(void *self, const struct unit_piece *piece)
{
	struct making *m = self;
	for (size_t i = 0; i < piece->waits; i++)
		*vec_push(&m->wait) = (struct tile_piece_wait){
			row_of(m, piece->wait[i].node) * TILE_LEAVES +
				(uint32_t)page_leaf(piece->wait[i].leaf),
			piece->wait[i].ns
		};
	keep_piece(m, piece, row_of(m, piece->node), piece->waits);
}

/* Adds pieces that say where initial threads were while any unit of their process was idle. */
static void add_initial_pieces(struct making *m, const struct traced_leaves *sources)
{
	static const struct piece_reader reader = { .piece = add_initial_piece };
	size_t n = 0;
	vec_sort(&m->idle, by_process_and_time);
	for (size_t i = 0; i < m->idle.n; i++) { /* merges times that overlap */
		struct idle_time next = m->idle.at[i], *last = n ? &m->idle.at[n - 1] : NULL;
		if (last && last->process == next.process && next.from <= last->to)
			last->to = next.to > last->to ? next.to : last->to;
		else
			m->idle.at[n++] = next;
	}
	m->idle.n = n;
	for (size_t i = 0; i < n; i++) {
		const struct idle_time *idle = &m->idle.at[i];
		idle_pieces_read(&sources->waits, &sources->timelines, idle->process, idle->from,
				 idle->to, &reader, m);
		if (i + 1 < n && idle[1].process == idle->process && m->piece.n < TILE_ITEMS)
			continue;
		tiles_add_pieces(m->tiles, m->x->model.process.at[idle->process].first_pu,
				 PIECES_OF_INITIAL, m->piece.at, m->piece.n, m->wait.at);
		forget_pieces(m);
	}
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
	if (leaves->exists) {
		unit_pieces_read(&sources->waits, &sources->timelines, &m.share, traces, &reader,
				 &m);
		add_initial_pieces(&m, sources);
	}
	leaf_shares_release(&m.share);
	vec_free(&m.idle), vec_free(&m.piece), vec_free(&m.wait);
}

/* Most of the bytes of the rows are times. A time is written as its bytes, the lowest first,
 * without the zero bytes at the end. */
static void compress_time(struct compressor *c, int64_t ns)
{
	unsigned char bytes[sizeof ns];
	size_t n = 0;
	for (uint64_t left = (uint64_t)ns; left; left >>= 8)
		bytes[n++] = (unsigned char)left;
	compress_write(c, bytes, n);
}

size_t trace_leaves_size(const struct trace_leaves *l)
{
	char *bytes = NULL;
	size_t n = 0;
	FILE *memory = open_memstream(&bytes, &n);
	if (!memory)
		return 0;
	struct compressor *c = compress_new(memory, COMPRESS_RAW);
	for (size_t i = 0; i < l->time.n; i++)
		compress_time(c, l->time.at[i].ns);
	for (size_t i = 0; i < l->share.n; i++)
		compress_time(c, l->share.at[i].ns);
	for (size_t i = 0; i < l->wait.n; i++)
		compress_time(c, l->wait.at[i].ns), compress_time(c, l->wait.at[i].booked_ns);
	compress_finish(c);
	fclose(memory);
	free(bytes);
	return n / 3 * 4; /* as base64 */
}

void trace_leaves_drop(struct trace_leaves *l)
{
	l->exists = false;
	trace_leaves_release(l);
}

void trace_leaves_release(struct trace_leaves *l)
{
	vec_free(&l->time), vec_free(&l->share), vec_free(&l->wait);
}
