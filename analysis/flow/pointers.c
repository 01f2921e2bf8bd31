/* SPDX-License-Identifier: BSD-3-Clause */
/* pointers.c - where the values of a function may point. One thread. A fixed point over the values
 * in their order: sets only grow, and symbols.c bounds the number of places. */
#include "flow/graph_internal.h"

#include <stdlib.h>

#include "flow/types.h"

#define ROUNDS_MOST 24
#define PLACES_MOST 64     /* of a value; then the offsets of its symbols are one */
#define POINTER_BYTES 8
#define HANDLE_BYTES 4

static uint32_t operand(const struct flow_build *b, const struct flow_value *v, uint32_t number)
{
	return b->program->number.at[v->operand.first + number];
}

static void blur(struct flow_build *b, const struct flow_places *places)
{
	for (size_t i = 0; i < places->n; i++)
		b->graph->symbol.at[flow_place_symbol(places->at[i])].blurred = true;
}

static void join(struct flow_build *b, uint32_t value, const struct flow_places *from)
{
	struct flow_places *to = &b->graph->places[value - b->first];
	bool had_room = to->n <= PLACES_MOST;
	b->changed |= flow__places_join(to, from);
	if (had_room && to->n > PLACES_MOST)
		blur(b, to);
}

static void join_operands(struct flow_build *b, uint32_t value)
{
	const struct flow_value *v = &b->program->value.at[value];
	for (uint32_t i = 0; i < v->operand.n; i++) {
		struct flow_places from = flow__places_of(b, operand(b, v, i));
		join(b, value, &from);
	}
}

/* -- memory ------------------------------------------------------------------------------------ */

/* The type of memory without a name is that of the first pointer to it that has one. */
static void type_nameless(struct flow_build *b, const struct flow_places *places, uint32_t pointer)
{
	const struct flow_type *type = pointer == FLOW_NONE ? NULL : &b->program->type.at[pointer];
	if (!type || type->kind != SIS_BLAME_POINTER || type->element == FLOW_NONE ||
	    !b->program->type.at[type->element].size)
		return;
	for (size_t i = 0; i < places->n; i++) {
		struct flow_symbol *s = &b->graph->symbol.at[flow_place_symbol(places->at[i])];
		if (s->type == FLOW_NONE && flow_is_nameless(b->program, s) &&
		    (places->at[i] & UINT32_MAX) == 0) {
			s->type = type->element;
			b->changed = true;
		}
	}
}

/* Whether the value that is read or written at the place may be a pointer, or is a handle. */
static bool may_be_pointer(const struct flow_build *b, const struct flow_value *v, flow_place place)
{
	return v->number == 0 || v->number == POINTER_BYTES ||
		(b->analysis->small_handles && flow__handle_at(b, place));
}

/* A struct in a register is one number, so the access has all handles in it. Adds those behind the
 * first one. */
static void add_packed_handles(struct flow_build *b, const struct flow_value *v, flow_place place,
			       struct flow_places *into)
{
	if (!b->analysis->small_handles || v->number > POINTER_BYTES)
		return;
	for (int64_t delta = HANDLE_BYTES; delta < v->number; delta += HANDLE_BYTES) {
		flow_place at = flow__place_at(b, place, delta);
		uint32_t type = flow_type_at(b->program,
					     b->graph->symbol.at[flow_place_symbol(at)].type,
					     flow_place_offset(at));
		if (flow__is_handle(b, type) && b->program->type.at[type].size < POINTER_BYTES)
			flow__places_add(into, at);
	}
}

/* The places of an access that may hold pointers or handles. The caller frees them. */
static struct flow_places accessed(struct flow_build *b, const struct flow_value *v)
{
	struct flow_places of = flow__places_of(b, operand(b, v, 0)), places = { 0 };
	for (size_t i = 0; i < of.n; i++) {
		if (may_be_pointer(b, v, of.at[i]))
			flow__places_add(&places, of.at[i]);
		add_packed_handles(b, v, of.at[i], &places);
	}
	return places;
}

static void store(struct flow_build *b, const struct flow_value *v)
{
	struct flow_places from = flow__places_of(b, operand(b, v, 1));
	struct flow_places to = from.n ? accessed(b, v) : (struct flow_places){ 0 };
	for (size_t i = 0; i < to.n; i++) {
		const struct flow_symbol *s = &b->graph->symbol.at[flow_place_symbol(to.at[i])];
		uint32_t type = flow_type_at(b->program, s->type, flow_place_offset(to.at[i]));
		flow__store(b, to.at[i], &from);
		type_nameless(b, &from, type);
	}
	free(to.at);
}

static void load(struct flow_build *b, uint32_t value, const struct flow_value *v)
{
	struct flow_places from = accessed(b, v), into = { 0 };
	for (size_t i = 0; i < from.n; i++)
		flow__load(b, from.at[i], &into);
	join(b, value, &into);
	free(into.at);
	free(from.at);
}

/* Whether a field is a pointer, or a handle, or an array of handles. */
static bool holds_pointer(const struct flow_build *b, uint32_t type)
{
	return type != FLOW_NONE && (b->program->type.at[type].kind == SIS_BLAME_POINTER ||
				     flow__is_handle(b, flow_type_at(b->program, type, 0)));
}

/* The pointers in a struct that was in memory before the function began. */
static void copy_before(struct flow_build *b, flow_place to, flow_place from)
{
	const struct flow_symbol s = b->graph->symbol.at[flow_place_symbol(from)];
	if (!s.external || s.type == FLOW_NONE)
		return;
	const struct flow_type type = b->program->type.at[s.type];
	for (uint32_t i = 0; i < type.field.n && i < 64; i++) {
		const struct flow_field *f = &b->program->field.at[type.field.first + i];
		struct flow_places places = { 0 };
		if (!holds_pointer(b, f->type))
			continue;
		flow__load(b, flow__place_at(b, from, (int64_t)(f->offset & INT32_MAX)), &places);
		flow__store(b, flow__place_at(b, to, (int64_t)(f->offset & INT32_MAX)), &places);
		free(places.at);
	}
}

static bool is_struct_of(const struct flow_build *b, flow_place place, uint64_t size)
{
	const struct flow_type *type =
		flow_type_of(b->program, b->graph->symbol.at[flow_place_symbol(place)].type);
	return type && type->kind == SIS_BLAME_STRUCT && type->size == size &&
		flow_place_offset(place) == 0;
}

static void copy(struct flow_build *b, flow_place to, flow_place from, uint64_t size)
{
	const struct flow_cell cell = flow__cell_at(b, from, size);
	for (size_t i = 0; i < b->graph->content.n; i++) {
		struct flow_content *c = &b->graph->content.at[i];
		if (c->symbol != cell.symbol || c->offset < cell.low || c->offset >= cell.high)
			continue;
		struct flow_places places = { 0 };
		uint32_t offset = c->offset;
		flow__places_join(&places, &c->places);
		flow__store(b, flow__place_at(b, to, (int64_t)offset - flow_place_offset(from)),
			    &places);
		free(places.at);
	}
	if (size == 0 || size > POINTER_BYTES || is_struct_of(b, from, size))
		copy_before(b, to, from);
}

static void move(struct flow_build *b, const struct flow_value *v)
{
	struct flow_places to = flow__places_of(b, operand(b, v, 0));
	struct flow_places from = flow__places_of(b, operand(b, v, 1));
	for (size_t i = 0; i < to.n; i++)
		for (size_t k = 0; k < from.n; k++)
			if (to.at[i] != from.at[k])
				copy(b, to.at[i], from.at[k], (uint64_t)v->number);
}

/* -- values ------------------------------------------------------------------------------------ */

static void add(struct flow_build *b, uint32_t value, flow_place place)
{
	join(b, value, &(struct flow_places){ &place, 1, 1 });
}

static void parameter(struct flow_build *b, uint32_t value, uint32_t number)
{
	const struct flow_range list = b->function->parameter;
	uint32_t object = number < list.n ? b->program->number.at[list.first + number] : FLOW_NONE;
	uint32_t type = object == FLOW_NONE ? FLOW_NONE : b->program->object.at[object].type;
	const struct flow_type *t = type == FLOW_NONE ? NULL : &b->program->type.at[type];
	if (!t || (t->kind != SIS_BLAME_REAL &&
		   (t->kind != SIS_BLAME_INTEGER || t->size >= POINTER_BYTES ||
		    flow__is_handle(b, type))))
		add(b, value, flow_place_of(flow__symbol_behind_argument(b, number), 0));
}

static void step(struct flow_build *b, uint32_t value, const struct flow_value *v)
{
	struct flow_places base;
	bool member = b->program->unit.at[b->function->unit].version > SIS_BLAME_OLDEST_VERSION;
	switch (v->op) {
	case SIS_BLAME_FIELD:
		base = flow__places_of(b, operand(b, v, 0));
		for (size_t i = 0; i < base.n; i++)
			add(b, value, (member ? flow__place_of_field : flow__place_at)(
				b, base.at[i], v->number));
		break;
	case SIS_BLAME_INDEX:
		base = flow__places_of(b, operand(b, v, 0));
		for (size_t i = 0; i < base.n; i++)
			add(b, value, flow__place_of_element(b, base.at[i], (uint64_t)v->number));
		break;
	default:
		break;
	}
}

static void alloca_memory(struct flow_build *b, uint32_t value, const struct flow_value *v)
{
	uint32_t symbol = v->object != FLOW_NONE ?
		flow__symbol_of_object(b, v->object) :
		flow__symbol_of_heap(b, &(struct flow_symbol){
			.a = value, .callee = FLOW_NONE, .inner = FLOW_NONE, .root = value,
			.type = FLOW_NONE });
	add(b, value, flow_place_of(symbol, 0));
}

/* Nobody writes constants and functions, so they are no memory here. */
static bool is_variable(const struct flow_object *object)
{
	return object->kind != SIS_BLAME_CONSTANT && object->kind != SIS_BLAME_FUNCTION;
}

static void visit(struct flow_build *b, uint32_t value)
{
	const struct flow_value *v = &b->program->value.at[value];
	struct flow_places from;
	switch (v->op) {
	case SIS_BLAME_PARAMETER:
		parameter(b, value, v->object);
		break;
	case SIS_BLAME_ADDRESS:
		if (v->object != FLOW_NONE && is_variable(&b->program->object.at[v->object]))
			add(b, value, flow_place_of(flow__symbol_of_object(b, v->object), 0));
		break;
	case SIS_BLAME_FIELD:
	case SIS_BLAME_INDEX:
		step(b, value, v);
		break;
	case SIS_BLAME_LOAD:
		load(b, value, v);
		break;
	case SIS_BLAME_STORE:
		store(b, v);
		break;
	case SIS_BLAME_MOVE:
		move(b, v);
		break;
	case SIS_BLAME_DEFINE:
		join_operands(b, value);
		from = flow__places_of(b, value);
		if (v->object != FLOW_NONE)
			type_nameless(b, &from, b->program->object.at[v->object].type);
		break;
	case SIS_BLAME_COMPUTE:
	case SIS_BLAME_MEET:
	case SIS_BLAME_ASSEMBLY:
		join_operands(b, value);
		break;
	case SIS_BLAME_RETURN:
		from = flow__places_of(b, operand(b, v, 0));
		type_nameless(b, &from, b->function->result);
		b->changed |= flow__places_join(&b->graph->result, &from);
		break;
	case SIS_BLAME_ALLOCA:
		alloca_memory(b, value, v);
		break;
	default:
		break;
	}
}

bool flow__pointers(struct flow_build *b)
{
	b->graph->places = mem_alloc(b->n + 1, sizeof *b->graph->places);
	flow__calls(b);
	b->changed = true;
	for (int round = 0; b->changed && round < ROUNDS_MOST && !flow__too_large(b); round++) {
		uint32_t call = 0;
		b->changed = false;
		flow__forget_bindings(b);
		for (uint32_t i = 0; i < b->n && !flow__too_large(b); i++) {
			visit(b, b->first + i);
			for (; call < b->graph->call.n &&
			       b->graph->call.at[call].value == b->first + i; call++)
				flow__call_pointers(b, call);
		}
	}
	flow__forget_bindings(b);
	return !flow__too_large(b);
}
