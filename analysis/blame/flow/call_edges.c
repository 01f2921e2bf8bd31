/* SPDX-License-Identifier: BSD-3-Clause */
/* call_edges.c - the nodes and edges of calls: a node for each output of the callee, with edges
 * from the inputs that flow there according to the callee's summary. For routines of libraries, the
 * nodes and edges follow from their rows in schema/routines.txt. One thread calls it. */
#include "blame/flow/graph_internal.h"

#include <stdlib.h>

static uint32_t node_of(const struct flow_build *b, uint32_t value) { return value - b->first; }

static uint32_t control_of(const struct flow_build *b, uint32_t value)
{
	return b->block_node[b->program->value.at[value].block];
}

static void link_argument(struct flow_build *b, uint32_t value, uint32_t number, uint32_t to)
{
	uint32_t argument = flow__argument(b, value, number);
	if (argument != FLOW_NONE)
		flow__link(b, node_of(b, argument), to, false);
}

/* -- places of routines ------------------------------------------------------------------------ */

/* Calls `access` for each cell that a place in a routine's row names. */
static void routine_cells(struct flow_build *b, uint32_t value, const struct routine_place *place,
			  uint32_t node,
			  void (*access)(struct flow_build *, uint32_t, uint32_t, struct flow_cell))
{
	struct flow_locations locations = { 0 };
	if (place->depth == 0)
		return;
	flow__routine_memory(b, value, place, &locations);
	for (size_t i = 0; i < locations.n; i++)
		access(b, node, value, flow__cell_around(b, locations.at[i]));
	free(locations.at);
}

/* Makes the node that stands for a routine's write to a place. */
static uint32_t place_node(struct flow_build *b, uint32_t value, const struct routine_place *place)
{
	uint32_t node = flow__new_node(b);
	flow__link(b, control_of(b, value), node, true);
	if (place->depth)
		routine_cells(b, value, place, node, flow__writes);
	else if (place->base == ROUTINE_RESULT)
		flow__link(b, node, node_of(b, value), false);
	return node;
}

/* -- calls of functions of the program --------------------------------------------------------- */

/* Calls `access` for the caller's cells that a cell of the callee stands for. */
static void bind_cell(struct flow_build *b, uint32_t call, const struct flow_cell *cell,
		      uint32_t node,
		      void (*access)(struct flow_build *, uint32_t, uint32_t, struct flow_cell))
{
	const struct flow_call *c = &b->graph->call.at[call];
	const struct flow_symbol s = b->analysis->graph[c->callee].symbol.at[cell->symbol];
	struct flow_locations base = flow__bind(b, call, cell->symbol);
	uint64_t size = cell->high == FLOW_END ? 0 : cell->high - cell->low;
	bool elements = size == 0 && cell->low == 0 && !s.blurred;
	for (size_t i = 0; i < base.n; i++) {
		flow_location location = flow__location_at(b, base.at[i], cell->low);
		access(b, node, c->value,
		       elements ? flow__cell_of_elements(b, location, s.type) :
				  flow__cell_at(b, location, size));
	}
}

/* The call of the library's routine that calls back the function of `call`. The list has this call
 * before `call`. */
static const struct flow_call *library_of(const struct flow_build *b, uint32_t call)
{
	uint32_t value = b->graph->call.at[call].value;
	while (b->graph->call.at[call].way != FLOW_DIRECT && call-- > 0 &&
	       b->graph->call.at[call].value == value)
		if (b->graph->call.at[call].callee == FLOW_NONE)
			return &b->graph->call.at[call];
	return NULL;
}

/* The result of a function that a library calls back flows to the nodes that get the library's
 * time, and to the places that the routine's row names. */
static void link_result(struct flow_build *b, uint32_t call, uint32_t node)
{
	const struct flow_call *c = &b->graph->call.at[call], *library = library_of(b, call);
	const struct routine *routine = c->way == FLOW_BY_ROUTINE ? c->routine : NULL;
	bool in_row = false;
	for (uint32_t i = 0; library && i < library->nodes; i++)
		flow__link(b, node, library->first_node + i, false);
	for (size_t i = 0; routine && i < routine->effects; i++)
		if (routine_takes_called(&routine->effect[i])) {
			flow__link(b, node, place_node(b, c->value, &routine->effect[i].to), false);
			in_row = true;
		}
	if (!in_row)
		flow__link(b, node, node_of(b, c->value), false);
}

/* Adds a doubt to the node if the callee has doubts of this kind. One value of the callee stands
 * for all its doubts of this kind. False: the callee has no such doubts. */
static bool pass_doubt(struct flow_build *b, const struct flow_graph *callee,
		       enum flow_doubt_kind kind, uint32_t node)
{
	for (size_t i = 0; i < callee->doubt.n; i++)
		if (callee->doubt.at[i].kind == kind) {
			flow__doubts(b, kind, node, callee->doubt.at[i].value);
			return true;
		}
	return false;
}

static void output_nodes(struct flow_build *b, uint32_t call)
{
	struct flow_call *c = &b->graph->call.at[call];
	const struct flow_graph *callee = &b->analysis->graph[c->callee];
	const struct flow_value *v = &b->program->value.at[c->value];
	c->first_node = b->graph->nodes;
	c->nodes = (uint32_t)callee->output.n;
	for (uint32_t i = 0; i < callee->output.n; i++) {
		uint32_t node = flow__new_node(b);
		if (i >= FLOW_FIRST_DOUBT && i < FLOW_OUTPUTS &&
		    !pass_doubt(b, callee, i - FLOW_FIRST_DOUBT, node))
			continue;
		flow__link(b, control_of(b, c->value), node, true);
		if (v->op == SIS_BLAME_CALL && c->way == FLOW_DIRECT &&
		    b->program->number.at[v->operand.first] != FLOW_NONE)
			flow__link(b, node_of(b, b->program->number.at[v->operand.first]), node,
				   true);
		if (i == FLOW_OUTPUT)
			*vec_push(&b->graph->output_node) = node;
		else if (i >= FLOW_OUTPUTS)
			bind_cell(b, call, &callee->output.at[i], node, flow__writes);
	}
	/* nodes of outputs must be neighbours, so link_result, which makes other nodes, comes
	 * last */
	link_result(b, call, b->graph->call.at[call].first_node + FLOW_RETURN);
}

/* Adds edges to `node` from the values that a parameter gets. */
static void link_parameter(struct flow_build *b, const struct flow_call *c, uint32_t number,
			   uint32_t node)
{
	uint32_t first = number, last = number + 1;
	if (c->way == FLOW_BY_UNKNOWN)
		first = 0, last = flow__arguments(b, c->value);
	if (c->way == FLOW_BY_ROUTINE) {
		if (number >= c->back->froms)
			return;
		flow__routine_arguments(b, c->value, &c->back->from[number], &first, &last);
	}
	for (uint32_t i = first; i < last; i++)
		link_argument(b, c->value, i, node);
}

static void input_nodes(struct flow_build *b, uint32_t call)
{
	const struct flow_call c = b->graph->call.at[call];
	const struct flow_graph *callee = &b->analysis->graph[c.callee];
	struct map nodes = { 0 }; /* inputs that reach the same outputs share a node */
	for (size_t i = 0; i < callee->input.n; i++) {
		const struct flow_input *input = &callee->input.at[i];
		bool fresh;
		uint32_t node = map_put(&nodes, input->reached.first, input->reached.n,
					b->graph->nodes, &fresh);
		if (fresh) {
			flow__new_node(b);
			for (uint32_t k = 0; k < input->reached.n; k++) {
				uint32_t out = callee->reached.at[input->reached.first + k];
				flow__link(b, node, c.first_node + (out >> 1), out & 1);
			}
		}
		if (input->argument != FLOW_NONE)
			link_parameter(b, &c, input->argument, node);
		else
			bind_cell(b, call, &input->cell, node, flow__reads);
	}
	map_free(&nodes);
}

/* Variable arguments are written to the symbol of kind `passed` of the call. */
static void passed_edges(struct flow_build *b, const struct flow_call *call)
{
	uint32_t first, last;
	flow__variable_arguments(b, call, &first, &last);
	for (uint32_t i = first; i < last; i++) {
		uint32_t argument = flow__argument(b, call->value, i);
		uint32_t symbol = flow__symbol_of_passed(b, call->value, call->callee);
		if (argument != FLOW_NONE)
			flow__writes(b, node_of(b, argument), argument,
				     (struct flow_cell){ symbol, 0, FLOW_END });
	}
}

/* -- calls of routines of libraries ------------------------------------------------------------ */

/* Makes the node of a routine that shows all its arguments and their memory to the user. */
static uint32_t shown(struct flow_build *b, uint32_t value)
{
	uint32_t node = flow__new_node(b);
	flow__link(b, control_of(b, value), node, true);
	*vec_push(&b->graph->output_node) = node;
	for (uint32_t i = 0; i < flow__arguments(b, value); i++) {
		uint32_t argument = flow__argument(b, value, i);
		struct flow_locations locations = flow__locations_of(b, argument);
		link_argument(b, value, i, node);
		for (size_t k = 0; k < locations.n; k++)
			flow__reads(b, node, value, flow__cell_around(b, locations.at[k]));
	}
	return node;
}

static void routine_edges(struct flow_build *b, uint32_t call)
{
	struct flow_call *c = &b->graph->call.at[call];
	const struct routine *r = c->routine;
	uint32_t first, last;
	c->first_node = b->graph->nodes; /* the nodes that get the routine's own time come first */
	for (size_t i = 0; i < r->blames; i++)
		place_node(b, c->value, &r->blame[i]);
	c->nodes = b->graph->nodes - c->first_node;
	for (size_t i = 0; i < r->effects; i++) {
		const struct routine_effect *effect = &r->effect[i];
		if (effect->verb != ROUTINE_FLOW && effect->verb != ROUTINE_REFER)
			continue;
		uint32_t node = place_node(b, c->value, &effect->to);
		for (size_t k = 0; k < effect->froms; k++) {
			flow__routine_arguments(b, c->value, &effect->from[k], &first, &last);
			for (uint32_t n = first; n < last; n++)
				link_argument(b, c->value, n, node);
			routine_cells(b, c->value, &effect->from[k], node, flow__reads);
		}
	}
	if (r->flags & ROUTINE_JUMP) { /* a node for work that decides whether longjmp is called */
		uint32_t node = flow__new_node(b);
		flow__link(b, control_of(b, c->value), node, true);
		for (uint32_t i = 0; i < flow__arguments(b, c->value); i++)
			link_argument(b, c->value, i, node);
		flow__doubts(b, FLOW_DOUBT_JUMP, node, c->value);
	}
	if (r->flags & ROUTINE_OUTPUT) {
		uint32_t node = shown(b, c->value);
		if (c->nodes == 0)
			c->first_node = node, c->nodes = 1;
	}
}

/* The edges of a function that is not known: all arguments and their memory flow to its result and
 * to the memory behind all arguments. */
static void unknown_edges(struct flow_build *b, uint32_t call)
{
	struct flow_call *c = &b->graph->call.at[call];
	uint32_t in = flow__new_node(b), n = flow__arguments(b, c->value);
	c->first_node = b->graph->nodes;
	uint32_t result = flow__new_node(b);
	flow__link(b, in, result, false);
	flow__link(b, result, node_of(b, c->value), false);
	for (uint32_t i = 0; i < n; i++) {
		struct flow_locations locations =
			flow__locations_of(b, flow__argument(b, c->value, i));
		link_argument(b, c->value, i, in);
		if (!locations.n)
			continue;
		uint32_t out = flow__new_node(b);
		flow__link(b, in, out, false);
		flow__link(b, control_of(b, c->value), out, true);
		for (size_t k = 0; k < locations.n; k++) {
			struct flow_cell cell = flow__cell_around(b, locations.at[k]);
			flow__reads(b, in, c->value, cell);
			flow__writes(b, out, c->value, cell);
		}
	}
	c->nodes = b->graph->nodes - c->first_node;
	for (uint32_t node = in; node < b->graph->nodes; node++)
		flow__doubts(b, c->name ? FLOW_DOUBT_FUNCTION : FLOW_DOUBT_POINTER, node, c->value);
}

void flow__call_edges(struct flow_build *b, uint32_t call)
{
	const struct flow_call *c = &b->graph->call.at[call];
	if (c->callee != FLOW_NONE) {
		if (b->analysis->graph[c->callee].built) {
			passed_edges(b, c);
			output_nodes(b, call);
			input_nodes(b, call);
		}
	} else if (c->begins_list) {
		/* code that reads the list, here or in a callee, reads the arguments */
		struct flow_locations lists = flow__locations_of(b, flow__argument(b, c->value, 0));
		uint32_t node = flow__new_node(b);
		flow__reads(b, node, c->value, (struct flow_cell){
			flow__symbol_of_variable_arguments(b), 0, FLOW_END });
		for (size_t i = 0; i < lists.n; i++)
			flow__writes(b, node, c->value, flow__cell_around(b, lists.at[i]));
	} else if (c->routine) {
		routine_edges(b, call);
	} else {
		unknown_edges(b, call);
	}
}
