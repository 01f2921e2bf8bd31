/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - the calls of a function: what the symbols of a callee are for the caller, and what
 * calls do to pointers. One thread. Its idea: behind(argument 2) of the callee is what argument 2
 * of the call points to, and so on along the callee's access paths. */
#include "flow/graph_internal.h"

#include <stdlib.h>
#include <string.h>

#define POINTER_BYTES 8
#define LIST_BYTES 24 /* of pointers in a list of variable arguments, on all 64-bit systems */

/* -- arguments --------------------------------------------------------------------------------- */

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
			 struct flow_places *into)
{
	struct flow_places places = flow__places_of(b, flow__argument(b, value, number));
	flow__places_join(into, &places);
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

/* The memory in which the variable arguments are passed. */
static void pass_variable_arguments(struct flow_build *b, const struct flow_call *call,
				    struct flow_places *into)
{
	uint32_t first, last;
	flow__variable_arguments(b, call, &first, &last);
	if (first == last)
		return;
	flow_place place = flow_place_of(flow__symbol_of_passed(b, call->value, call->callee), 0);
	for (uint32_t i = first; i < last; i++) {
		struct flow_places from = flow__places_of(b, flow__argument(b, call->value, i));
		flow__store(b, place, &from);
	}
	flow__places_add(into, place);
}

void flow__argument_places(struct flow_build *b, const struct flow_call *call, uint32_t number,
			   struct flow_places *into)
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
			flow__routine_places(b, call->value, &call->back->from[number], into);
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

/* A pointer may be anywhere in the memory, and several handles may be fields beside each other. */
static void add_neighbours(const struct flow_build *b, flow_place place, struct flow_places *into)
{
	bool handles = flow__handle_at(b, place);
	for (size_t i = 0; i < b->graph->content.n; i++) {
		const struct flow_content *c = &b->graph->content.at[i];
		if (c->symbol == flow_place_symbol(place) &&
		    (!handles || flow__handle_at(b, flow_place_of(c->symbol, c->offset))))
			flow__places_join(into, &c->places);
	}
}

/* What the pointers at these places point to. */
static void follow(struct flow_build *b, struct flow_places *places,
		   void (*load)(struct flow_build *, flow_place, struct flow_places *))
{
	struct flow_places next = { 0 };
	for (size_t i = 0; i < places->n; i++) {
		load(b, places->at[i], &next);
		add_neighbours(b, places->at[i], &next);
	}
	free(places->at);
	*places = next;
}

/* Follows `depth` pointers from the base of the place. */
static void places_of_base(struct flow_build *b, uint32_t value, const struct routine_place *place,
			   int depth,
			   void (*load)(struct flow_build *, flow_place, struct flow_places *),
			   struct flow_places *into)
{
	struct flow_places places = { 0 };
	uint32_t first, last;
	flow__routine_arguments(b, value, place, &first, &last);
	for (uint32_t i = first; i < last; i++)
		add_argument(b, value, i, &places);
	if (place->base == ROUTINE_RESULT) {
		struct flow_places result = flow__places_of(b, value);
		flow__places_join(&places, &result);
	}
	for (int i = 0; i < depth; i++)
		follow(b, &places, load);
	flow__places_join(into, &places);
	free(places.at);
}

void flow__routine_places(struct flow_build *b, uint32_t value, const struct routine_place *place,
			  struct flow_places *into)
{
	places_of_base(b, value, place, place->depth, flow__load, into);
}

/* The row says that there are pointers or handles: **1 needs them in *1. */
void flow__routine_memory(struct flow_build *b, uint32_t value, const struct routine_place *place,
			  struct flow_places *into)
{
	places_of_base(b, value, place, place->depth - 1, flow__follow, into);
}

static void add_result(struct flow_build *b, uint32_t value, const struct flow_places *places)
{
	b->changed |= flow__places_join(&b->graph->places[value - b->first], places);
}

/* Stores `places` at what `to` names. */
static void store_at(struct flow_build *b, uint32_t value, const struct routine_place *to,
		     const struct flow_places *places)
{
	struct flow_places where = { 0 };
	if (to->depth == 0) {
		if (to->base == ROUTINE_RESULT)
			add_result(b, value, places);
		return;
	}
	flow__routine_memory(b, value, to, &where);
	for (size_t i = 0; i < where.n; i++)
		flow__store(b, where.at[i], places);
	free(where.at);
}

static void new_memory(struct flow_build *b, uint32_t value, const struct routine_place *to)
{
	uint32_t symbol = flow__symbol_of_heap(b, &(struct flow_symbol){
		.a = value, .callee = FLOW_NONE, .inner = FLOW_NONE, .root = value,
		.type = FLOW_NONE });
	flow_place place = flow_place_of(symbol, 0);
	store_at(b, value, to, &(struct flow_places){ &place, 1, 1 });
}

static void routine_pointers(struct flow_build *b, const struct flow_call *call)
{
	for (size_t i = 0; i < call->routine->effects; i++) {
		const struct routine_effect *effect = &call->routine->effect[i];
		if (effect->verb == ROUTINE_NEW)
			new_memory(b, call->value, &effect->to);
		if (effect->verb != ROUTINE_REFER)
			continue;
		for (size_t k = 0; k < effect->froms; k++) {
			struct flow_places from = { 0 };
			flow__routine_places(b, call->value, &effect->from[k], &from);
			store_at(b, call->value, &effect->to, &from);
			free(from.at);
		}
	}
}

/* The result of a function that is not known may be memory of its own, or an argument. */
static void unknown_pointers(struct flow_build *b, const struct flow_call *call)
{
	struct flow_places all = { 0 };
	uint32_t symbol = flow__symbol_of_heap(b, &(struct flow_symbol){
		.a = call->value, .callee = FLOW_NONE, .inner = FLOW_NONE, .root = call->value,
		.external = true, .type = FLOW_NONE });
	flow__places_add(&all, flow_place_of(symbol, 0));
	for (uint32_t i = 0; i < flow__arguments(b, call->value); i++)
		add_argument(b, call->value, i, &all);
	add_result(b, call->value, &all);
	free(all.at);
}

/* A list of variable arguments has pointers to them, somewhere in its first words. */
static void begin_list(struct flow_build *b, const struct flow_call *call)
{
	flow_place arguments = flow_place_of(flow__symbol_of_variable_arguments(b), 0);
	struct flow_places lists = flow__places_of(b, flow__argument(b, call->value, 0));
	for (size_t i = 0; i < lists.n; i++)
		for (int64_t offset = 0; offset < LIST_BYTES; offset += POINTER_BYTES)
			flow__store(b, flow__place_at(b, lists.at[i], offset),
				    &(struct flow_places){ &arguments, 1, 1 });
}

/* -- symbols of callees ------------------------------------------------------------------------ */

static void bind_behind(struct flow_build *b, uint32_t call, uint32_t a, uint32_t offset,
			bool handle, struct flow_places *into)
{
	const struct flow_graph *callee = &b->analysis->graph[b->graph->call.at[call].callee];
	if (callee->symbol.at[a].kind == FLOW_ARGUMENT) {
		flow__argument_places(b, &b->graph->call.at[call], callee->symbol.at[a].a, into);
		return;
	}
	struct flow_places before = flow__bind(b, call, a);
	for (size_t i = 0; i < before.n; i++)
		(handle ? flow__follow : flow__load)(
			b, flow__place_at(b, before.at[i], offset), into);
}

/* A symbol of a coarse graph has several definitions. */
static void bind_definitions(struct flow_build *b, uint32_t call, uint32_t symbol,
			     struct flow_places *into)
{
	const struct flow_graph *callee = &b->analysis->graph[b->graph->call.at[call].callee];
	for (size_t i = 0; i < callee->definition.n; i++)
		if (callee->definition.at[i].symbol == symbol)
			bind_behind(b, call, callee->definition.at[i].a,
				    callee->definition.at[i].offset, false, into);
}

static void bind_heap(struct flow_build *b, uint32_t call, uint32_t number,
		      const struct flow_symbol *s, struct flow_places *into)
{
	const struct flow_call *c = &b->graph->call.at[call];
	uint32_t symbol = flow__symbol_of_heap(b, &(struct flow_symbol){
		.a = c->value, .callee = c->callee, .inner = number, .root = s->root,
		.depth = s->depth + 1, .external = s->external, .type = s->type });
	flow__places_add(into, flow_place_of(symbol, 0));
}

struct flow_places flow__bind(struct flow_build *b, uint32_t call, uint32_t symbol)
{
	const struct flow_graph *callee = &b->analysis->graph[b->graph->call.at[call].callee];
	const struct flow_symbol s = callee->symbol.at[symbol];
	struct flow_places places = { 0 };
	bool fresh;
	uint32_t at = map_put(&b->bound, call, symbol, (uint32_t)b->binding.n, &fresh);
	if (!fresh)
		return b->binding.at[at];
	(void)vec_push(&b->binding);
	if (s.kind == FLOW_BEHIND) {
		bind_behind(b, call, s.a, s.offset, s.handle, &places);
		bind_definitions(b, call, symbol, &places);
	} else if (s.kind == FLOW_HEAP)
		bind_heap(b, call, symbol, &s, &places);
	else if (s.kind == FLOW_OBJECT && b->program->object.at[s.a].kind != SIS_BLAME_LOCAL &&
		 b->program->object.at[s.a].kind != SIS_BLAME_UNNAMED)
		flow__places_add(&places, flow_place_of(flow__symbol_of_object(b, s.a), 0));
	b->binding.at[at] = places;
	return places;
}

void flow__forget_bindings(struct flow_build *b)
{
	for (size_t i = 0; i < b->binding.n; i++)
		free(b->binding.at[i].at);
	vec_free(&b->binding);
	map_free(&b->bound);
}

/* The callee's places as the caller sees them. */
static void bind_places(struct flow_build *b, uint32_t call, const struct flow_places *from,
			struct flow_places *into)
{
	for (size_t i = 0; i < from->n; i++) {
		struct flow_places base = flow__bind(b, call, flow_place_symbol(from->at[i]));
		for (size_t k = 0; k < base.n; k++)
			flow__places_add(into, flow__place_from(b, base.at[k], from->at[i]));
	}
}

/* Pointers that a function called back returns, where the routine's row says. */
static void called_pointers(struct flow_build *b, const struct flow_call *c,
			    const struct flow_places *places)
{
	for (size_t i = 0; i < c->routine->effects; i++) {
		const struct routine_effect *effect = &c->routine->effect[i];
		if (effect->verb == ROUTINE_REFER && routine_takes_called(effect))
			store_at(b, c->value, &effect->to, places);
	}
}

static void callee_pointers(struct flow_build *b, uint32_t call)
{
	const struct flow_call c = b->graph->call.at[call];
	const struct flow_graph *callee = &b->analysis->graph[c.callee];
	struct flow_places places = { 0 };
	if (c.way != FLOW_BY_UNKNOWN)
		bind_places(b, call, &callee->result, &places);
	if (c.way == FLOW_DIRECT)
		add_result(b, c.value, &places);
	else if (c.way == FLOW_BY_ROUTINE)
		called_pointers(b, &c, &places);
	for (size_t i = 0; i < callee->content.n && !flow__too_large(b); i++) {
		const struct flow_content *content = &callee->content.at[i];
		struct flow_places base = flow__bind(b, call, content->symbol);
		places.n = 0;
		if (base.n)
			bind_places(b, call, &content->places, &places);
		for (size_t k = 0; k < base.n; k++)
			flow__store(b, flow__place_at(b, base.at[k], content->offset), &places);
	}
	free(places.at);
}

void flow__call_pointers(struct flow_build *b, uint32_t call)
{
	const struct flow_call *c = &b->graph->call.at[call];
	if (c->callee != FLOW_NONE) {
		if (b->analysis->graph[c->callee].built)
			callee_pointers(b, call);
	} else if (c->begins_list) {
		begin_list(b, c);
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

/* The functions that a library's routine calls back are targets, too. */
static void calls_back(struct flow_build *b, uint32_t value, const struct routine *routine)
{
	const struct flow_analysis *a = b->analysis;
	for (uint32_t t = a->first_target[value]; t < a->first_target[value + 1]; t++) {
		const struct routine_effect *back = NULL;
		for (size_t i = 0; routine && i < routine->effects && !back; i++)
			if (routine->effect[i].verb == ROUTINE_CALL)
				back = &routine->effect[i];
		struct flow_call *call = new_call(b, value, a->target.at[t]);
		call->way = back ? FLOW_BY_ROUTINE : FLOW_BY_UNKNOWN;
		call->back = back;
		call->routine = routine;
	}
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
	call->routine = object ? routines_find(a->routines, object->linkage) : NULL;
	calls_back(b, value, call->routine);
}

void flow__calls(struct flow_build *b)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++)
		if (value_of(b, i)->op == SIS_BLAME_CALL || value_of(b, i)->op == SIS_BLAME_FORK)
			add_call(b, i);
}
