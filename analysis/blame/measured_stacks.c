/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_stacks.c - see measured_stacks.h. One thread. measured_calls.c finds the statements.
 * LIMIT: a function that is called from several statements in the same lines has the time at all
 * of them, in equal parts; one that is called through a pointer, at all calls through pointers. */
#include "blame/measured_stacks.h"

#include <string.h>

#include "blame/measured_calls.h"

/* The engine multiplies by BLAME_UNIT. */
static const uint64_t MOST = 1000000000000;

struct maker {
	struct measured_stacks *m;
	const struct experiment *x;
	const struct flow_program *program;
	struct map stack_of;   /* node -> index of frames */
	VEC(struct { size_t first; uint32_t frames; bool truncated; }) known;
	struct map keys;       /* (PU, leaf x measure) -> index of m->key */
};

/* -- frames ------------------------------------------------------------------------------------ */

static bool add_frame(struct maker *k, const struct call_site *site, const char *callee)
{
	struct placed *p = &k->m->placed;
	size_t first = p->statement.n;
	uint32_t function = measured_call_find(k->program, site, p);
	uint32_t n = (uint32_t)(p->statement.n - first);
	if (n == 0)
		return false;
	*vec_push(&p->frame) = (struct placed_frame){
		.function = function, .statement = p->statement.at[first],
		.first = (uint32_t)first, .count = n,
		.how = n == 1 ? PLACED_STATEMENT : PLACED_AMBIGUOUS, .callee = callee };
	return true;
}

/* A body of a construct runs at the construct in the function around it. */
static void add_constructs(struct maker *k)
{
	struct placed *p = &k->m->placed;
	for (int depth = 0; depth < 32; depth++) {
		uint32_t inner = p->frame.at[p->frame.n - 1].function;
		size_t first = p->statement.n;
		uint32_t outer = measured_fork_find(k->program, inner, p);
		if (outer == FLOW_NONE || p->statement.n == first)
			return;
		*vec_push(&p->frame) = (struct placed_frame){
			.function = outer, .statement = p->statement.at[first],
			.first = (uint32_t)first, .count = (uint32_t)(p->statement.n - first),
			.how = PLACED_STATEMENT };
	}
}

/* The function that a node's region lies in; for a function, itself. */
static const char *function_of(const struct experiment *x, uint32_t node)
{
	return region_of_node(x, node)->function;
}

static bool is_function(const struct region *r)
{
	return r->type == CR_F || r->type == CR_P;
}

/* The innermost node around `node` that lies in another function: from where its function is
 * called. NONE: it is the outermost. */
static uint32_t caller_node(const struct experiment *x, uint32_t node)
{
	const char *function = function_of(x, node);
	bool left = false;
	for (; node != x->model.root; node = x->model.node.at[node].parent) {
		const struct region *r = region_of_node(x, node);
		if (r->line_start == 0)
			continue;
		if (left || strcmp(r->function, function) != 0)
			return node;
		left = is_function(r);
	}
	return NONE;
}

/* Adds the frames of a call and of all its callers. */
static void add_frames(struct maker *k, uint32_t node, size_t *first, bool *truncated)
{
	struct placed *p = &k->m->placed;
	const struct region *call = region_of_node(k->x, node);
	struct call_site site = { .function = call->function, .file = call->file,
				  .callee = call->callee, .line = call->line_start,
				  .column = call->column_start, .line_end = call->line_end };
	*first = p->frame.n;
	*truncated = false;
	if (!add_frame(k, &site, call->callee))
		return;
	add_constructs(k);
	while ((node = caller_node(k->x, node)) != NONE) {
		const struct region *around = region_of_node(k->x, node);
		site = (struct call_site){ .function = around->function, .file = around->file,
					   .callee = site.function, .line = around->line_start,
					   .line_end = around->line_end };
		if (around->callee)
			site.column = around->column_start;
		if (!add_frame(k, &site, NULL)) {
			*truncated = true;
			return;
		}
		add_constructs(k);
	}
}

static size_t frames_of(struct maker *k, uint32_t node)
{
	bool fresh;
	uint32_t at = map_put(&k->stack_of, node, 0, (uint32_t)k->known.n, &fresh);
	if (fresh) {
		size_t first;
		bool truncated;
		add_frames(k, node, &first, &truncated);
		vec_push(&k->known);
		k->known.at[at].first = first;
		k->known.at[at].frames = (uint32_t)(k->m->placed.frame.n - first);
		k->known.at[at].truncated = truncated;
	}
	return at;
}

/* -- what was measured ------------------------------------------------------------------------- */

static void add_stack(struct maker *k, uint32_t node, struct measured_key key, uint64_t amount)
{
	struct measured_stacks *m = k->m;
	size_t at = frames_of(k, node);
	bool fresh, whole = key.measure == MEASURED_CALLS;
	uint64_t count = whole ? amount : (amount + m->scale / 2) / m->scale;
	if (k->known.at[at].frames == 0 || count == 0)
		return;
	uint32_t slot = map_put(&k->keys, key.pu, (uint64_t)key.leaf * 3 + key.measure,
				(uint32_t)m->key.n, &fresh);
	if (fresh)
		*vec_push(&m->key) = key;
	*vec_push(&m->placed.stack) = (struct placed_stack){
		.slot = slot, .node = node, .count = count, .weight = count,
		.first = k->known.at[at].first, .frames = k->known.at[at].frames,
		.how = m->placed.frame.at[k->known.at[at].first].how,
		.truncated = k->known.at[at].truncated };
}

static bool is_waited_or_moved(const struct region *r)
{
	return r->callee && r->routine && r->line_start > 0 &&
	       (sis_region_in(r->type, CR_MPI) || sis_region_in(r->type, CR_OMP) ||
		sis_region_in(r->type, CR_PTMUTEX) || sis_region_in(r->type, CR_PTCOND));
}

static uint32_t call_of(const struct experiment *x, uint32_t node)
{
	uint32_t source = x->model.node.at[node].source;
	return is_waited_or_moved(region_of_node(x, source)) ? source : NONE;
}

static void add_bookings(struct maker *k)
{
	const struct experiment *x = k->x;
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		uint32_t node = call_of(x, b->node);
		if (node == NONE || b->ns <= 0)
			continue;
		size_t at = frames_of(k, node); /* may move the list */
		k->m->ns += b->ns;
		if (k->known.at[at].frames == 0)
			k->m->lost_ns += b->ns;
		add_stack(k, node, (struct measured_key){ b->pu, b->leaf, MEASURED_NS },
			  (uint64_t)b->ns);
	}
}

static void add_traffic(struct maker *k)
{
	const struct experiment *x = k->x;
	for (size_t i = 0; i < x->match.traffic.n; i++) {
		const struct traffic *t = &x->match.traffic.at[i];
		uint32_t node = call_of(x, t->node);
		if (node == NONE)
			continue;
		enum sis_overhead leaf = region_of_node(x, node)->routine->leaf;
		add_stack(k, node, (struct measured_key){ t->pu, leaf, MEASURED_BYTES }, t->bytes);
		add_stack(k, node, (struct measured_key){ t->pu, leaf, MEASURED_CALLS }, t->calls);
	}
}

static uint64_t scale_of(const struct experiment *x)
{
	uint64_t ns = 0, bytes = 0, scale = 1;
	for (size_t i = 0; i < x->classify.booking.n; i++)
		ns += x->classify.booking.at[i].ns > 0 ? (uint64_t)x->classify.booking.at[i].ns : 0;
	for (size_t i = 0; i < x->match.traffic.n; i++)
		bytes += x->match.traffic.at[i].bytes;
	while ((ns > bytes ? ns : bytes) / scale > MOST)
		scale *= 10;
	return scale;
}

void measured_stacks_make(struct measured_stacks *m, const struct experiment *x,
			  const struct flow_program *program)
{
	*m = (struct measured_stacks){ .scale = scale_of(x) };
	struct maker k = { .m = m, .x = x, .program = program };
	add_bookings(&k);
	add_traffic(&k);
	map_free(&k.stack_of);
	map_free(&k.keys);
	vec_free(&k.known);
}

void measured_stacks_release(struct measured_stacks *m)
{
	placed_release(&m->placed);
	vec_free(&m->key);
}
