/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - the calls of a function: translates the symbols of a callee to those of the caller, and
 * computes the effects of calls on pointers. One thread calls it. The idea: behind(argument 2) of
 * the callee is the memory to which argument 2 of the call points, and so on along the callee's
 * access paths. */
#include "blame/flow/graph_internal.h"

#include <stdlib.h>
#include <string.h>

#define POINTER_BYTES 8
#define LIST_BYTES 24 /* on 64-bit systems, a list of variable arguments has at most so many bytes
                       * of pointers */

/* -- arguments of calls ------------------------------------------------------------------------ */

static const struct flow_value *value_of(const struct flow_build *b, uint32_t value)
{
	return &b->program->value.at[value];
}

uint32_t flow__arguments(const struct flow_build *b, uint32_t value)
{
	const struct flow_value *v = value_of(b, value);
	return v->operand.n - (v->op == SIS_BLAME_CALL);
}

uint32_t flow__argument(const struct flow_build *b, uint32_t value, uint32_t number)
{
	const struct flow_value *v = value_of(b, value);
	number += v->op == SIS_BLAME_CALL;
	return number < v->operand.n ? b->program->number.at[v->operand.first + number] : FLOW_NONE;
}

static void add_argument(struct flow_build *b, uint32_t value, uint32_t number,
			 struct flow_locations *into)
{
	struct flow_locations locations = flow__locations_of(b, flow__argument(b, value, number));
	flow__locations_join(into, &locations);
}

void flow__variable_arguments(const struct flow_build *b, const struct flow_call *call,
			      uint32_t *first, uint32_t *last)
{
	const struct flow_function *f = &b->program->function.at[call->callee];
	bool any = call->way == FLOW_DIRECT && (f->flags & SIS_BLAME_FUNCTION_VARIADIC);
	*first = f->parameter.n;
	*last = any ? flow__arguments(b, call->value) : 0;
	if (*first > *last)
		*first = *last;
}

/* Adds the memory in which the variable arguments are passed, and stores the arguments' locations
 * there. */
static void pass_variable_arguments(struct flow_build *b, const struct flow_call *call,
				    struct flow_locations *into)
{
	uint32_t first, last;
	flow__variable_arguments(b, call, &first, &last);
	if (first == last)
		return;
	uint32_t symbol = flow__symbol_of_passed(b, call->value, call->callee);
	flow_location location = flow_location_of(symbol, 0);
	for (uint32_t i = first; i < last; i++) {
		struct flow_locations from =
			flow__locations_of(b, flow__argument(b, call->value, i));
		flow__store(b, location, &from);
	}
	flow__locations_add(into, location);
}

void flow__argument_locations(struct flow_build *b, const struct flow_call *call, uint32_t number,
			      struct flow_locations *into)
{
	switch (call->way) {
	case FLOW_DIRECT:
		if (number == b->program->function.at[call->callee].parameter.n)
			pass_variable_arguments(b, call, into);
		else
			add_argument(b, call->value, number, into);
		break;
	case FLOW_BY_ROUTINE:
		if (number < call->back->froms)
			flow__routine_locations(b, call->value, &call->back->from[number], into);
		break;
	case FLOW_BY_UNKNOWN:
		for (uint32_t i = 0; i < flow__arguments(b, call->value); i++)
			add_argument(b, call->value, i, into);
		break;
	}
}

/* -- routines of libraries --------------------------------------------------------------------- */

void flow__routine_arguments(const struct flow_build *b, uint32_t value,
			     const struct routine_place *place, uint32_t *first, uint32_t *last)
{
	uint32_t n = flow__arguments(b, value);
	*first = *last = 0;
	if (place->base != ROUTINE_ARGUMENT || place->first == 0)
		return;
	*first = place->first - 1u;
	*last = place->last == UINT16_MAX || place->last > n ? n : place->last;
	if (*first > *last)
		*first = *last;
}

/* Adds the contents of the whole symbol, because the row does not say where in it the pointer is.
 * If there is a handle at `location`, only handles are added: they may be neighbouring fields. */
static void add_neighbours(const struct flow_build *b, flow_location location,
			   struct flow_locations *into)
{
	bool handles = flow__handle_at(b, location);
	for (size_t i = 0; i < b->graph->content.n; i++) {
		const struct flow_content *c = &b->graph->content.at[i];
		if (c->symbol == flow_location_symbol(location) &&
		    (!handles || flow__handle_at(b, flow_location_of(c->symbol, c->offset))))
			flow__locations_join(into, &c->locations);
	}
}

/* Adds the locations that are reached from the base of the place through `depth` pointers. */
static void locations_of_base(struct flow_build *b, uint32_t value,
			      const struct routine_place *place, int depth,
			      void (*load)(struct flow_build *, flow_location,
					   struct flow_locations *),
			      struct flow_locations *into)
{
	struct flow_locations locations = { 0 };
	uint32_t first, last;
	flow__routine_arguments(b, value, place, &first, &last);
	for (uint32_t i = first; i < last; i++)
		add_argument(b, value, i, &locations);
	if (place->base == ROUTINE_RESULT) {
		struct flow_locations result = flow__locations_of(b, value);
		flow__locations_join(&locations, &result);
	}
	for (int i = 0; i < depth; i++) {
		struct flow_locations next = { 0 };
		for (size_t k = 0; k < locations.n; k++) {
			load(b, locations.at[k], &next);
			add_neighbours(b, locations.at[k], &next);
		}
		free(locations.at);
		locations = next;
	}
	flow__locations_join(into, &locations);
	free(locations.at);
}

void flow__routine_locations(struct flow_build *b, uint32_t value,
			     const struct routine_place *place, struct flow_locations *into)
{
	locations_of_base(b, value, place, place->depth, flow__load, into);
}

/* Uses flow__follow: if the routine's row in schema/routines.txt has the place `**1`, the memory
 * `*1` holds pointers or handles, even if its type is an integer. */
void flow__routine_memory(struct flow_build *b, uint32_t value, const struct routine_place *place,
			  struct flow_locations *into)
{
	locations_of_base(b, value, place, place->depth - 1, flow__follow, into);
}

static void add_result(struct flow_build *b, uint32_t value, const struct flow_locations *locations)
{
	b->changed |= flow__locations_join(&b->graph->locations[value - b->first], locations);
}

/* Stores `locations` at the place `to`. */
static void store_at(struct flow_build *b, uint32_t value, const struct routine_place *to,
		     const struct flow_locations *locations)
{
	struct flow_locations where = { 0 };
	if (to->depth == 0) {
		if (to->base == ROUTINE_RESULT)
			add_result(b, value, locations);
		return;
	}
	flow__routine_memory(b, value, to, &where);
	for (size_t i = 0; i < where.n; i++)
		flow__store(b, where.at[i], locations);
	free(where.at);
}

static void routine_pointers(struct flow_build *b, const struct flow_call *call)
{
	for (size_t i = 0; i < call->routine->effects; i++) {
		const struct routine_effect *effect = &call->routine->effect[i];
		if (effect->verb == ROUTINE_NEW) {
			uint32_t symbol = flow__symbol_of_heap(b, &(struct flow_symbol){
				.a = call->value, .callee = FLOW_NONE, .inner = FLOW_NONE,
				.root = call->value, .type = FLOW_NONE });
			flow_location location = flow_location_of(symbol, 0);
			store_at(b, call->value, &effect->to,
				 &(struct flow_locations){ &location, 1, 1 });
		}
		if (effect->verb != ROUTINE_REFER)
			continue;
		for (size_t k = 0; k < effect->froms; k++) {
			struct flow_locations from = { 0 };
			flow__routine_locations(b, call->value, &effect->from[k], &from);
			store_at(b, call->value, &effect->to, &from);
			free(from.at);
		}
	}
}

/* The result of a function that is not known may point to memory that the function made, or be one
 * of the arguments. */
static void unknown_pointers(struct flow_build *b, const struct flow_call *call)
{
	struct flow_locations all = { 0 };
	uint32_t symbol = flow__symbol_of_heap(b, &(struct flow_symbol){
		.a = call->value, .callee = FLOW_NONE, .inner = FLOW_NONE, .root = call->value,
		.external = true, .type = FLOW_NONE });
	flow__locations_add(&all, flow_location_of(symbol, 0));
	for (uint32_t i = 0; i < flow__arguments(b, call->value); i++)
		add_argument(b, call->value, i, &all);
	add_result(b, call->value, &all);
	free(all.at);
}

/* -- symbols of callees ------------------------------------------------------------------------ */

static void bind_behind(struct flow_build *b, uint32_t call, uint32_t a, uint32_t offset,
			bool handle, struct flow_locations *into)
{
	const struct flow_graph *callee = &b->analysis->graph[b->graph->call.at[call].callee];
	if (callee->symbol.at[a].kind == FLOW_ARGUMENT) {
		flow__argument_locations(b, &b->graph->call.at[call], callee->symbol.at[a].a, into);
		return;
	}
	struct flow_locations before = flow__bind(b, call, a);
	for (size_t i = 0; i < before.n; i++)
		(handle ? flow__follow : flow__load)(
			b, flow__location_at(b, before.at[i], offset), into);
}

struct flow_locations flow__bind(struct flow_build *b, uint32_t call, uint32_t symbol)
{
	const struct flow_graph *callee = &b->analysis->graph[b->graph->call.at[call].callee];
	const struct flow_symbol s = callee->symbol.at[symbol];
	struct flow_locations locations = { 0 };
	bool fresh;
	uint32_t at = map_put(&b->bound, call, symbol, (uint32_t)b->binding.n, &fresh);
	if (!fresh)
		return b->binding.at[at];
	(void)vec_push(&b->binding);
	if (s.kind == FLOW_BEHIND) {
		bind_behind(b, call, s.a, s.offset, s.handle, &locations);
		for (size_t i = 0; i < callee->definition.n; i++) /* the callee's graph is coarse */
			if (callee->definition.at[i].symbol == symbol)
				bind_behind(b, call, callee->definition.at[i].a,
					    callee->definition.at[i].offset, false, &locations);
	} else if (s.kind == FLOW_HEAP) {
		const struct flow_call *c = &b->graph->call.at[call];
		uint32_t heap = flow__symbol_of_heap(b, &(struct flow_symbol){
			.a = c->value, .callee = c->callee, .inner = symbol, .root = s.root,
			.depth = s.depth + 1, .external = s.external, .type = s.type });
		flow__locations_add(&locations, flow_location_of(heap, 0));
	} else if (s.kind == FLOW_OBJECT && b->program->object.at[s.a].kind != SIS_BLAME_LOCAL &&
		   b->program->object.at[s.a].kind != SIS_BLAME_UNNAMED) {
		flow__locations_add(&locations,
				    flow_location_of(flow__symbol_of_object(b, s.a), 0));
	}
	b->binding.at[at] = locations;
	return locations;
}

void flow__forget_bindings(struct flow_build *b)
{
	for (size_t i = 0; i < b->binding.n; i++)
		free(b->binding.at[i].at);
	vec_free(&b->binding);
	map_free(&b->bound);
}

/* Translates the callee's locations to those of the caller. */
static void bind_locations(struct flow_build *b, uint32_t call, const struct flow_locations *from,
			   struct flow_locations *into)
{
	for (size_t i = 0; i < from->n; i++) {
		struct flow_locations base = flow__bind(b, call, flow_location_symbol(from->at[i]));
		for (size_t k = 0; k < base.n; k++)
			flow__locations_add(into, flow__location_from(b, base.at[k], from->at[i]));
	}
}

static void callee_pointers(struct flow_build *b, uint32_t call)
{
	const struct flow_call c = b->graph->call.at[call];
	const struct flow_graph *callee = &b->analysis->graph[c.callee];
	struct flow_locations locations = { 0 };
	if (c.way != FLOW_BY_UNKNOWN)
		bind_locations(b, call, &callee->result, &locations);
	if (c.way == FLOW_DIRECT)
		add_result(b, c.value, &locations);
	for (size_t i = 0; c.way == FLOW_BY_ROUTINE && i < c.routine->effects; i++) {
		const struct routine_effect *effect = &c.routine->effect[i];
		if (effect->verb == ROUTINE_REFER && routine_takes_called(effect))
			store_at(b, c.value, &effect->to, &locations);
	}
	for (size_t i = 0; i < callee->content.n && !flow__too_large(b); i++) {
		const struct flow_content *content = &callee->content.at[i];
		struct flow_locations base = flow__bind(b, call, content->symbol);
		locations.n = 0;
		if (base.n)
			bind_locations(b, call, &content->locations, &locations);
		for (size_t k = 0; k < base.n; k++)
			flow__store(b, flow__location_at(b, base.at[k], content->offset),
				    &locations);
	}
	free(locations.at);
}

void flow__call_pointers(struct flow_build *b, uint32_t call)
{
	const struct flow_call *c = &b->graph->call.at[call];
	if (c->callee != FLOW_NONE) {
		if (b->analysis->graph[c->callee].built)
			callee_pointers(b, call);
	} else if (c->begins_list) {
		/* a list of variable arguments has pointers to the arguments in some of its first
		 * words */
		uint32_t symbol = flow__symbol_of_variable_arguments(b);
		flow_location arguments = flow_location_of(symbol, 0);
		struct flow_locations lists = flow__locations_of(b, flow__argument(b, c->value, 0));
		for (size_t i = 0; i < lists.n; i++)
			for (int64_t offset = 0; offset < LIST_BYTES; offset += POINTER_BYTES)
				flow__store(b, flow__location_at(b, lists.at[i], offset),
					    &(struct flow_locations){ &arguments, 1, 1 });
	} else if (c->routine) {
		routine_pointers(b, c);
	} else {
		unknown_pointers(b, c);
	}
}

/* -- the list of calls ------------------------------------------------------------------------- */

static struct flow_call *new_call(struct flow_build *b, uint32_t value, uint32_t callee)
{
	struct flow_call *call = vec_push(&b->graph->call);
	*call = (struct flow_call){ .value = value, .callee = callee };
	return call;
}

static void add_call(struct flow_build *b, uint32_t value)
{
	const struct flow_analysis *a = b->analysis;
	const struct flow_value *v = value_of(b, value);
	const struct flow_object *object = v->op == SIS_BLAME_CALL ?
		flow_called_object(b->program, value) : NULL;
	uint32_t first = a->first_target[value], end = a->first_target[value + 1];
	bool library = object ? object->function == FLOW_NONE :
		v->op == SIS_BLAME_CALL && first == end;
	if (!library) {
		for (uint32_t t = first; t < end; t++)
			new_call(b, value, a->target.at[t]);
		return;
	}
	struct flow_call *call = new_call(b, value, FLOW_NONE);
	call->name = object ? object->linkage : NULL;
	call->begins_list = object && strncmp(object->linkage, "llvm.va_start", 13) == 0;
	const struct routine *routine = object ? routines_find(a->routines, object->linkage) : NULL;
	call->routine = routine;
	const struct routine_effect *back = NULL;
	for (size_t i = 0; routine && i < routine->effects && !back; i++)
		if (routine->effect[i].verb == ROUTINE_CALL)
			back = &routine->effect[i];
	/* the functions that a library's routine calls back are targets, too */
	for (uint32_t t = first; t < end; t++) {
		call = new_call(b, value, a->target.at[t]);
		call->way = back ? FLOW_BY_ROUTINE : FLOW_BY_UNKNOWN;
		call->back = back;
		call->routine = routine;
	}
}

void flow__calls(struct flow_build *b)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++)
		if (value_of(b, i)->op == SIS_BLAME_CALL || value_of(b, i)->op == SIS_BLAME_FORK)
			add_call(b, i);
}
