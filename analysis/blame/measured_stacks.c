/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_stacks.c - see measured_stacks.h. One thread. measured_calls.c finds the statements.
 * What no variable follows from has a stack, too, so that the rows add up to all that was measured.
 * LIMIT: a function that is called from several statements in the same lines has the time at all
 * of them, in equal parts; one that is called through a pointer, at all calls through pointers. */
#include "blame/measured_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "blame/measured_calls.h"

#define NAMES_MOST 5u /* of functions, in a sentence */

/* The engine multiplies by BLAME_UNIT. */
static const uint64_t MOST = 1000000000000;

/* What the variables of a time follow from. */
enum subject {
	OF_CALL,        /* what the call moves or waits for */
	OF_REDUCTION,   /* the variables of the construct's reductions */
	OF_CONSTRUCT,   /* nothing: a call or construct without variables, which is named */
	OF_RUN,         /* nothing: any other time. It is kept at the outermost function only */
};

/* The stack of a node. unknown: the function of the call is not analysed, and a caller has it. */
struct known { size_t first; uint32_t frames; bool truncated, unknown; };

struct maker {
	struct measured_stacks *m;
	const struct experiment *x;
	const struct flow_program *program;
	struct map stack_of;   /* (node, subject) -> index of `known` */
	VEC(struct known) known;
	struct map functions;  /* region -> function of the program; FLOW_NONE */
	VEC(const char *) unknown; /* functions that are not analysed, each once */
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

static struct call_site site_of(const struct region *r, const char *callee)
{
	return (struct call_site){ .function = r->function, .file = r->file, .callee = callee,
				   .line = r->line_start, .line_end = r->line_end,
				   .column = r->callee ? r->column_start : 0 };
}

static bool add_reduction(struct maker *k, const struct region *construct)
{
	struct placed *p = &k->m->placed;
	const struct call_site site = site_of(construct, NULL);
	uint32_t function = measured_construct_find(k->program, &site, p);
	if (function == FLOW_NONE)
		return false;
	size_t first = p->statement.n - 1;
	*vec_push(&p->frame) = (struct placed_frame){
		.function = function, .statement = p->statement.at[first], .count = 1,
		.first = (uint32_t)first, .how = PLACED_STATEMENT, .callee = construct->name,
		.only = construct->reductions };
	return true;
}

/* A time without variables, in a function. False: it is not analysed. */
static bool add_other(struct maker *k, uint32_t function, const char *name)
{
	struct placed *p = &k->m->placed;
	if (function != FLOW_NONE)
		*vec_push(&p->frame) = (struct placed_frame){
			.function = function, .statement = FLOW_NONE, .how = PLACED_FUNCTION,
			.first = (uint32_t)p->statement.n, .callee = name, .only = "" };
	return function != FLOW_NONE;
}

/* The function that the node's region lies in. */
static uint32_t function_around(struct maker *k, uint32_t node)
{
	const struct region *r = region_of_node(k->x, node);
	uint32_t region = k->x->model.node.at[node].region;
	uint32_t found = map_get(&k->functions, region, 0);
	if (found != MAP_NONE)
		return found - 1;
	found = measured_function_find(k->program, r->function, r->file);
	map_put(&k->functions, region, 0, found + 1, NULL);
	return found;
}

/* The innermost frame, if the function of the node is analysed. */
static bool add_leaf(struct maker *k, uint32_t node, enum subject subject, const char *name)
{
	const struct region *r = region_of_node(k->x, node);
	const struct call_site site = site_of(r, r->callee);
	return (subject == OF_CALL && add_frame(k, &site, r->callee)) ||
		(subject == OF_REDUCTION && add_reduction(k, r)) ||
		add_other(k, function_around(k, node), name);
}

static void note_unknown(struct maker *k, const char *function)
{
	for (size_t i = 0; i < k->unknown.n; i++)
		if (strcmp(k->unknown.at[i], function) == 0)
			return;
	*vec_push(&k->unknown) = function;
}

/* The node is in a function that is not analysed. The innermost caller that is analysed has the
 * innermost frame: to it the function is a routine of a library. Returns its node; NONE: no caller
 * is analysed. */
static uint32_t add_leaf_of_caller(struct maker *k, uint32_t node, enum subject subject,
				   const char *name)
{
	const char *callee = function_of(k->x, node);
	while ((node = caller_node(k->x, node)) != NONE) {
		const struct region *r = region_of_node(k->x, node);
		const struct call_site site = site_of(r, callee);
		if ((subject == OF_CALL && add_frame(k, &site, callee)) ||
		    add_other(k, function_around(k, node), name))
			break;
		callee = r->function;
	}
	return node;
}

/* The frames of all callers, as far as they are known. */
static bool add_callers(struct maker *k, uint32_t node)
{
	const char *callee = function_of(k->x, node);
	add_constructs(k);
	while ((node = caller_node(k->x, node)) != NONE) {
		const struct region *around = region_of_node(k->x, node);
		const struct call_site site = site_of(around, callee);
		if (!add_frame(k, &site, NULL))
			return false;
		add_constructs(k);
		callee = around->function;
	}
	return true;
}

/* The outermost function around a node that is analysed; else main. */
static uint32_t outermost(struct maker *k, uint32_t node)
{
	const struct experiment *x = k->x;
	uint32_t found = FLOW_NONE;
	for (; node != x->model.root && node != NONE; node = x->model.node.at[node].parent) {
		bool is_one = is_function(region_of_node(x, node));
		uint32_t function = is_one ? function_around(k, node) : FLOW_NONE;
		found = function == FLOW_NONE ? found : function;
	}
	return found == FLOW_NONE ? flow_function_find(k->program, "main") : found;
}

static void add_frames(struct maker *k, uint32_t node, enum subject subject, const char *name,
		       struct known *known)
{
	uint32_t at = node;
	known->first = k->m->placed.frame.n;
	if (subject != OF_RUN && !add_leaf(k, node, subject, name)) {
		at = add_leaf_of_caller(k, node, subject, name);
		known->unknown = subject != OF_CONSTRUCT;
		if (known->unknown)
			note_unknown(k, function_of(k->x, node));
	}
	if (subject == OF_RUN || at == NONE)
		add_other(k, outermost(k, node), name);
	else
		known->truncated = !add_callers(k, at);
	known->frames = (uint32_t)(k->m->placed.frame.n - known->first);
}

static const struct known *frames_of(struct maker *k, uint32_t node, enum subject subject,
				     const char *name)
{
	bool fresh;
	uint32_t at = map_put(&k->stack_of, node, subject, (uint32_t)k->known.n, &fresh);
	if (fresh) {
		struct known known = { 0 };
		add_frames(k, node, subject, name, &known);
		*vec_push(&k->known) = known;
	}
	return &k->known.at[at];
}

/* -- what was measured ------------------------------------------------------------------------- */

static bool is_waited_or_moved(const struct region *r)
{
	return r->callee && r->routine && r->line_start > 0 &&
	       (sis_region_in(r->type, CR_MPI) || sis_region_in(r->type, CR_OMP) ||
		sis_region_in(r->type, CR_PTMUTEX) || sis_region_in(r->type, CR_PTCOND));
}

/* Whether threads wait for the construct itself, and not for what is in it. */
static bool waits_for_all(const struct region *r, enum sis_overhead leaf)
{
	return leaf == OADD_RED || r->type == RT_IBAR || r->type == RT_UNPAR ||
		r->type == RT_PART || r->type == RT_ATOMIC ||
		(r->reductions && sis_overhead_in(leaf, OSYNC));
}

/* *source: the node whose call or construct it is. */
static enum subject subject_of(const struct experiment *x, uint32_t node, enum sis_overhead leaf,
			       uint32_t *source, const char **name)
{
	*source = x->model.node.at[node].source;
	const struct region *own = region_of_node(x, node), *r = region_of_node(x, *source);
	*name = r->name;
	if (is_waited_or_moved(r))
		return OF_CALL;
	if (r->line_start > 0 && r->reductions && waits_for_all(own, leaf))
		return OF_REDUCTION;
	if (r->line_start > 0 && (r->routine || sis_region_in(r->type, CR_OMP)))
		return OF_CONSTRUCT;
	*name = own->name;
	if (r->line_start > 0 && (sis_region_in(own->type, CR_MPI) ||
				  sis_overhead_in(sis_region_table[own->type].leaf, OSYNC))) {
		*source = node;
		return OF_CONSTRUCT;
	}
	*name = NULL;
	return OF_RUN;
}

static void add_stack(struct maker *k, uint32_t node, const struct measured_key *key,
		      uint64_t amount)
{
	struct measured_stacks *m = k->m;
	uint32_t source;
	const char *name;
	enum subject subject = subject_of(k->x, node, key->leaf, &source, &name);
	const struct known *known = frames_of(k, source, subject, name);
	bool fresh, whole = key->measure == MEASURED_CALLS;
	uint64_t count = whole ? amount : (amount + m->scale / 2) / m->scale;
	if (key->measure == MEASURED_NS && known->unknown)
		m->unknown_ns += amount;
	if (known->frames == 0 || count == 0)
		return;
	uint32_t slot = map_put(&k->keys, key->pu, (uint64_t)key->leaf * 3 + key->measure,
				(uint32_t)m->key.n, &fresh);
	if (fresh)
		*vec_push(&m->key) = *key;
	*vec_push(&m->placed.stack) = (struct placed_stack){
		.slot = slot, .node = source, .count = count, .weight = count,
		.first = known->first, .frames = known->frames,
		.how = m->placed.frame.at[known->first].how, .truncated = known->truncated };
}

static void add_bookings(struct maker *k)
{
	const struct experiment *x = k->x;
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		const struct measured_key key = { b->pu, b->leaf, MEASURED_NS };
		if (b->ns > 0)
			add_stack(k, b->node, &key, (uint64_t)b->ns);
	}
}

static void add_traffic(struct maker *k)
{
	const struct experiment *x = k->x;
	for (size_t i = 0; i < x->match.traffic.n; i++) {
		const struct traffic *t = &x->match.traffic.at[i];
		const struct region *r = region_of_node(x, t->node);
		if (!r->routine)
			continue;
		enum sis_overhead leaf = r->routine->leaf;
		add_stack(k, t->node, &(struct measured_key){ t->pu, leaf, MEASURED_BYTES },
			  t->bytes);
		add_stack(k, t->node, &(struct measured_key){ t->pu, leaf, MEASURED_CALLS },
			  t->calls);
	}
}

/* LIMIT: which library a function is in is not known, so the sentence names the function. */
static void warn_unknown(struct maker *k)
{
	struct buf names = { 0 };
	for (size_t i = 0; i < k->unknown.n && i < NAMES_MOST; i++)
		buf_print(&names, "%s%s", i ? ", " : "", k->unknown.at[i]);
	if (k->unknown.n > NAMES_MOST)
		buf_print(&names, " and %zu more", k->unknown.n - NAMES_MOST);
	char *list = buf_take(&names);
	if (k->m->unknown_ns)
		k->m->doubt = mem_print("%.6f s of waits and transfers are in functions without "
					"analysis (%s); their callers divide them among what the "
					"functions get. Build their library with sisc --sis-blame",
					(double)k->m->unknown_ns / 1e9, list);
	free(list);
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
	warn_unknown(&k);
	map_free(&k.stack_of);
	map_free(&k.keys);
	map_free(&k.functions);
	vec_free(&k.known);
	vec_free(&k.unknown);
}

void measured_stacks_release(struct measured_stacks *m)
{
	placed_release(&m->placed);
	vec_free(&m->key);
	free(m->doubt);
}
