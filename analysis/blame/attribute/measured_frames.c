/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_frames.c - makes the frames of nodes of the call graph (measured_frames.h). One thread
 * calls it. measured_calls.c finds the statements. LIMIT: if several statements in the same lines
 * call a function, the function's time is divided evenly among these statements. If a function is
 * called through a pointer, its time is divided among all calls through pointers in the lines.
 * LIMIT: if several functions create threads that begin in one function, or the creating call gets
 * this function through a pointer, the stacks of these threads end at this function. If the
 * function that creates the threads is called on several paths, the stacks end at this function. */
#include "blame/attribute/measured_frames.h"

#include <string.h>

#include "blame/attribute/measured_calls.h"

#define CREATORS_MOST 8u /* longest chain of threads of which each creates the next */

/* -- adding the innermost frame ---------------------------------------------------------------- */

static bool add_frame(struct measured_frames *m, const struct call_site *site, const char *callee)
{
	struct placed *p = m->placed;
	size_t first = p->statement.n;
	uint32_t function = measured_call_find(m->program, site, p);
	uint32_t n = (uint32_t)(p->statement.n - first);
	if (n == 0)
		return false;
	*vec_push(&p->frame) = (struct placed_frame){
		.function = function, .statement = p->statement.at[first],
		.first = (uint32_t)first, .count = n,
		.how = n == 1 ? PLACED_STATEMENT : PLACED_AMBIGUOUS, .callee = callee };
	return true;
}

/* Adds the frames around the body of a construct: the body runs at the construct's statement in the
 * function around it. */
static void add_constructs(struct measured_frames *m)
{
	struct placed *p = m->placed;
	for (int depth = 0; depth < 32; depth++) {
		uint32_t inner = p->frame.at[p->frame.n - 1].function;
		size_t first = p->statement.n;
		uint32_t outer = measured_fork_find(m->program, inner, p);
		if (outer == FLOW_NONE || p->statement.n == first)
			return;
		*vec_push(&p->frame) = (struct placed_frame){
			.function = outer, .statement = p->statement.at[first],
			.first = (uint32_t)first, .count = (uint32_t)(p->statement.n - first),
			.how = PLACED_STATEMENT };
	}
}

/* The name of the function in which a node's region lies; for a function, its own name. */
static const char *function_of(const struct experiment *x, uint32_t node)
{
	return region_of_node(x, node)->function;
}

static bool is_function(const struct region *r)
{
	return r->type == CR_F || r->type == CR_P;
}

/* The innermost node around `node` that is outside of this activation of the function of `node`,
 * and so in the caller. NONE: there is no caller. */
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

static bool add_reduction(struct measured_frames *m, const struct region *construct)
{
	struct placed *p = m->placed;
	const struct call_site site = site_of(construct, NULL);
	uint32_t function = measured_construct_find(m->program, &site, p);
	if (function == FLOW_NONE)
		return false;
	size_t first = p->statement.n - 1;
	*vec_push(&p->frame) = (struct placed_frame){
		.function = function, .statement = p->statement.at[first], .count = 1,
		.first = (uint32_t)first, .how = PLACED_STATEMENT, .callee = construct->name,
		.only = construct->reductions };
	return true;
}

/* Adds the frame of a time without variables. False: the function is not analysed. */
static bool add_other(struct measured_frames *m, uint32_t function, const char *name)
{
	struct placed *p = m->placed;
	if (function != FLOW_NONE)
		*vec_push(&p->frame) = (struct placed_frame){
			.function = function, .statement = FLOW_NONE, .how = PLACED_FUNCTION,
			.first = (uint32_t)p->statement.n, .callee = name, .only = "" };
	return function != FLOW_NONE;
}

/* The function of the program in which the node's region lies. */
static uint32_t function_around(struct measured_frames *m, uint32_t node)
{
	const struct region *r = region_of_node(m->x, node);
	uint32_t region = m->x->model.node.at[node].region;
	uint32_t found = map_get(&m->functions, region, 0);
	if (found != MAP_NONE)
		return found - 1;
	found = measured_function_find(m->program, r->function, r->file);
	map_put(&m->functions, region, 0, found + 1, NULL);
	return found;
}

/* Adds the innermost frame. False: the function of the node is not analysed. */
static bool add_leaf(struct measured_frames *m, uint32_t node, enum subject subject,
		     const char *name)
{
	const struct region *r = region_of_node(m->x, node);
	const struct call_site site = site_of(r, r->callee);
	return (subject == OF_CALL && add_frame(m, &site, r->callee)) ||
		(subject == OF_REDUCTION && add_reduction(m, r)) ||
		add_other(m, function_around(m, node), name);
}

static void note_unknown(struct measured_frames *m, const char *function)
{
	for (size_t i = 0; i < m->unknown.n; i++)
		if (strcmp(m->unknown.at[i], function) == 0)
			return;
	*vec_push(&m->unknown) = function;
}

/* Adds the innermost frame for a node in a function that is not analysed: the frame of its
 * innermost analysed caller. The function is treated as a library's routine that this caller calls.
 * Returns the caller's node; NONE: no caller is analysed. */
static uint32_t add_leaf_of_caller(struct measured_frames *m, uint32_t node, enum subject subject,
				   const char *name)
{
	const char *callee = function_of(m->x, node);
	while ((node = caller_node(m->x, node)) != NONE) {
		const struct region *r = region_of_node(m->x, node);
		const struct call_site site = site_of(r, callee);
		if ((subject == OF_CALL && add_frame(m, &site, callee)) ||
		    add_other(m, function_around(m, node), name))
			break;
		callee = r->function;
	}
	return node;
}

/* -- creators of threads ----------------------------------------------------------------------- */

/* The node of a function; NONE: the function is not measured, or has several nodes. */
static uint32_t node_of(struct measured_frames *m, uint32_t function)
{
	const struct experiment *x = m->x;
	uint32_t found = NONE;
	for (uint32_t i = 0; i < x->model.node.n; i++) {
		if (i == x->model.root || !is_function(region_of_node(x, i)) ||
		    function_around(m, i) != function)
			continue;
		if (found != NONE)
			return NONE;
		found = i;
	}
	return found;
}

static const struct creator *creator_of(struct measured_frames *m, uint32_t function)
{
	bool fresh;
	uint32_t at = map_put(&m->creators, function, 0, (uint32_t)m->creator.n, &fresh);
	if (!fresh)
		return &m->creator.at[at];
	struct placed *p = m->placed;
	struct creator creator = { .first = p->statement.n, .node = NONE };
	creator.function = measured_creators_find(m->program, function, p);
	creator.count = (uint32_t)(p->statement.n - creator.first);
	if (creator.function != FLOW_NONE)
		creator.node = node_of(m, flow_function_around(m->program, creator.function));
	*vec_push(&m->creator) = creator;
	return &m->creator.at[at];
}

/* -- adding the frames of callers -------------------------------------------------------------- */

/* Adds the frames of all callers in the thread, up to the first caller that is not known. False:
 * there is such a caller. */
static bool add_callers(struct measured_frames *m, uint32_t node)
{
	const char *callee = function_of(m->x, node);
	add_constructs(m);
	while ((node = caller_node(m->x, node)) != NONE) {
		const struct region *around = region_of_node(m->x, node);
		const struct call_site site = site_of(around, callee);
		if (!add_frame(m, &site, NULL))
			return false;
		add_constructs(m);
		callee = around->function;
	}
	return true;
}

/* Adds the frames around that of `node`, and the frames of the threads that created its thread.
 * False: some of these frames are not known. */
static bool add_outer_frames(struct measured_frames *m, uint32_t node)
{
	struct placed *p = m->placed;
	for (unsigned threads = 0; node != NONE && threads <= CREATORS_MOST; threads++) {
		if (!add_callers(m, node))
			return false;
		uint32_t function = p->frame.at[p->frame.n - 1].function;
		const struct creator *creator = creator_of(m, function);
		if (creator->function == FLOW_NONE)
			return true;
		*vec_push(&p->frame) = (struct placed_frame){
			.function = creator->function, .first = (uint32_t)creator->first,
			.statement = p->statement.at[creator->first], .count = creator->count,
			.how = creator->count == 1 ? PLACED_STATEMENT : PLACED_AMBIGUOUS };
		add_constructs(m);
		node = creator->node;
	}
	return false;
}

/* The outermost analysed function around a node in its thread; FLOW_NONE: none. */
static uint32_t outermost_in_thread(struct measured_frames *m, uint32_t node)
{
	const struct experiment *x = m->x;
	uint32_t found = FLOW_NONE;
	for (; node != x->model.root && node != NONE; node = x->model.node.at[node].parent) {
		bool is_one = is_function(region_of_node(x, node));
		uint32_t function = is_one ? function_around(m, node) : FLOW_NONE;
		found = function == FLOW_NONE ? found : function;
	}
	return found;
}

/* The outermost analysed function around a node, also in the threads that created its thread; if
 * there is none, main. */
static uint32_t outermost(struct measured_frames *m, uint32_t node)
{
	uint32_t found = FLOW_NONE, function = outermost_in_thread(m, node);
	for (unsigned threads = 0; function != FLOW_NONE && threads <= CREATORS_MOST; threads++) {
		found = function;
		const struct creator *creator = creator_of(m, function);
		function = creator->node == NONE ? FLOW_NONE :
						   outermost_in_thread(m, creator->node);
	}
	return found == FLOW_NONE ? flow_function_find(m->program, "main") : found;
}

/* -- the frames of a node ---------------------------------------------------------------------- */

struct known_frames measured_frames_add(struct measured_frames *m, uint32_t node,
					enum subject subject, const char *name)
{
	struct known_frames known = { .first = m->placed->frame.n };
	uint32_t at = node;
	if (subject != OF_RUN && !add_leaf(m, node, subject, name)) {
		at = add_leaf_of_caller(m, node, subject, name);
		known.unknown = subject != OF_CONSTRUCT;
		if (known.unknown)
			note_unknown(m, function_of(m->x, node));
	}
	if (subject == OF_RUN || at == NONE)
		add_other(m, outermost(m, node), name);
	else
		known.truncated = !add_outer_frames(m, at);
	known.frames = (uint32_t)(m->placed->frame.n - known.first);
	return known;
}

void measured_frames_init(struct measured_frames *m, struct placed *placed,
			  const struct experiment *x, const struct flow_program *program)
{
	*m = (struct measured_frames){ .x = x, .program = program, .placed = placed };
}

void measured_frames_release(struct measured_frames *m)
{
	map_free(&m->functions);
	map_free(&m->creators);
	vec_free(&m->unknown);
	vec_free(&m->creator);
}
