/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_operations.c - lists calls and single waits as events of rows (trace_operations.h). Owns
 * the events until they are in tiles. Called by one thread. */
#include "page/view/trace_operations.h"

#include "base/clamp.h"
#include "base/sort.h"
#include "experiment/causes/cost_pieces.h"
#include "experiment/causes/delay.h"

typedef VEC(struct tile_event) events;

struct making {
	const struct experiment *x;
	struct trace_operations *to;
	struct traced_nodes *nodes;
	events event;
	struct map pair;         /* (node and leaf, victim and culprit) -> first row with them */
	VEC(uint32_t) next;      /* by row: the next row with the same key of `pair`, or NONE */
};

static int64_t after_start(const struct making *m, int64_t ns)
{
	int64_t after = clamp_subtract(ns, m->x->model.start_ns);
	return after > 0 ? after : 0;
}

static int by_time(const void *va, const void *vb)
{
	const struct tile_event *a = va, *b = vb;
	return ORDER(a->from_ns, b->from_ns) ?: ORDER(a->row, b->row) ?:
		ORDER(a->to_ns, b->to_ns) ?: ORDER(a->kind, b->kind);
}

static void add_tiles(struct making *m, struct tiles *tiles, enum tile_kind kind)
{
	vec_sort(&m->event, by_time);
	tiles_add_events(tiles, kind, m->event.at, m->event.n);
	vec_free(&m->event);
}

/* -- messages ---------------------------------------------------------------------------------- */

static void list_messages(struct making *m, const traffic_times *times)
{
	traffic_bases bases;
	traffic_bases_list(&bases, m->x, times);
	for (size_t i = 0; i < bases.n; i++) {
		const struct traffic *t = &m->x->match.traffic.at[i];
		*vec_push(&m->to->message) = (struct traced_message){
			.unit = t->pu, .node = traced_nodes_put(m->nodes, t->node),
			.communicator = t->communicator, .target = t->target,
			.calls = t->calls, .bytes = t->bytes,
			.ns = t->ns, .receive_ns = t->receive_ns,
			.estimated = t->estimated, .basis = bases.at[i]
		};
	}
	vec_free(&bases);
}

/* -- waits ------------------------------------------------------------------------------------- */

static uint32_t add_pair(struct making *m, const struct traced_pair *pair)
{
	bool fresh;
	uint32_t row = (uint32_t)m->to->pair.n;
	uint32_t first = map_put(&m->pair, (uint64_t)pair->node * SIS_OVERHEADS + pair->leaf,
				 (uint64_t)pair->unit << 32 | pair->culprit, row, &fresh);
	for (uint32_t i = first; !fresh && i != NONE; i = m->next.at[i])
		if (m->to->pair.at[i].culprit_node == pair->culprit_node)
			return i;
	uint32_t second = fresh ? NONE : m->next.at[first];
	*vec_push(&m->next) = second;
	if (!fresh)
		m->next.at[first] = row;
	*vec_push(&m->to->pair) = *pair;
	return row;
}

static void add_wait(struct making *m, const struct cost_piece *p)
{
	int64_t length = p->until - p->enter, all = p->booked_ns > length ? p->booked_ns : length;
	if (length <= 0 || (p->ns <= 0 && p->idle_ns <= 0))
		return;
	uint32_t row = add_pair(m, &(struct traced_pair){
		.unit = p->victim, .node = traced_nodes_put(m->nodes, p->node),
		.culprit = p->culprit, .culprit_node = traced_nodes_put(m->nodes, p->culprit_node),
		.leaf = p->leaf });
	struct traced_pair *pair = &m->to->pair.at[row];
	pair->ns += cost_piece_part(p, p->ns, INT64_MIN, INT64_MAX);
	pair->idle_ns += cost_piece_part(p, p->idle_ns, INT64_MIN, INT64_MAX);
	*vec_push(&m->event) = (struct tile_event){
		row, 0, after_start(m, p->enter), after_start(m, p->until),
		{ (uint64_t)p->ns, (uint64_t)p->idle_ns, (uint64_t)all }
	};
}

static int by_unit(const void *va, const void *vb)
{
	const struct traced_idle *a = va, *b = vb;
	return ORDER(a->unit, b->unit) ?: ORDER(a->node, b->node) ?: ORDER(a->leaf, b->leaf);
}

static uint64_t node_and_leaf(uint32_t node, enum sis_overhead leaf)
{
	return (uint64_t)node * SIS_OVERHEADS + leaf;
}

/* Lists only the idle times that contribute to a pair. */
static void list_idle(struct making *m)
{
	const struct pu *pu = m->x->model.pu.at;
	struct map shared = { 0 }; /* (node and leaf, process) */
	for (size_t i = 0; i < m->to->pair.n; i++) {
		const struct traced_pair *p = &m->to->pair.at[i];
		if (p->idle_ns > 0)
			map_put(&shared, node_and_leaf(m->nodes->node.at[p->node], p->leaf),
				pu[p->unit].process, 0, NULL);
	}
	for (size_t i = 0; i < m->x->classify.idle_wait.n; i++) {
		const struct booking *b = &m->x->classify.idle_wait.at[i];
		if (map_get(&shared, node_and_leaf(b->node, b->leaf), pu[b->pu].process) == MAP_NONE)
			continue;
		*vec_push(&m->to->idle) = (struct traced_idle){
			b->pu, traced_nodes_put(m->nodes, b->node), b->leaf, b->ns
		};
	}
	vec_sort(&m->to->idle, by_unit);
	map_free(&shared);
}

/* -- all operations ---------------------------------------------------------------------------- */

void trace_operations_make(struct trace_operations *o, struct tiles *tiles,
			   struct traced_nodes *nodes, struct experiment *x,
			   const struct traced_leaves *sources, struct traces *traces)
{
	struct making m = { .x = x, .to = o, .nodes = nodes };
	struct cost_pieces pieces = { .from = INT64_MIN, .to = INT64_MAX };
	traffic_times times;
	*o = (struct trace_operations){ .message = { 0 } };
	traffic_times_list(&times, x, traces);
	list_messages(&m, &times);
	for (size_t i = 0; i < times.n; i++) {
		const struct traffic_time *t = &times.at[i];
		int64_t from = after_start(&m, t->enter), to = after_start(&m, t->exit);
		*vec_push(&m.event) = (struct tile_event){
			t->traffic, t->kind, from, to > from ? to : from, { t->bytes }
		};
	}
	vec_free(&times);
	add_tiles(&m, tiles, TILE_CALLS);
	x->causes.interval = &pieces;
	delay_costs_find(x, &x->causes, &sources->threads, &x->warning);
	x->causes.interval = NULL;
	for (size_t i = 0; i < pieces.piece.n; i++)
		add_wait(&m, &pieces.piece.at[i]);
	cost_pieces_release(&pieces);
	add_tiles(&m, tiles, TILE_WAITS);
	list_idle(&m);
	map_free(&m.pair), vec_free(&m.next);
}

void trace_operations_release(struct trace_operations *o)
{
	vec_free(&o->message), vec_free(&o->pair), vec_free(&o->idle);
}
