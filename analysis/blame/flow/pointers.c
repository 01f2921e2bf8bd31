/* SPDX-License-Identifier: BSD-3-Clause */
/* pointers.c - computes where the values of a function may point. One thread calls it. The values
 * are visited in their order until nothing changes. The visits end, because sets only grow and
 * symbols.c bounds the number of locations. */
#include "blame/flow/graph_internal.h"

#include <stdlib.h>

#include "blame/flow/types.h"

#define ROUNDS_MOST 24
#define LOCATIONS_MOST 64  /* most locations of a value; with more, all offsets of its symbols are
                            * treated as one */
#define POINTER_BYTES 8
#define HANDLE_BYTES 4

static uint32_t operand(const struct flow_build *b, const struct flow_value *v, uint32_t number)
{
	return b->program->number.at[v->operand.first + number];
}

static void join(struct flow_build *b, uint32_t value, const struct flow_locations *from)
{
	struct flow_locations *to = &b->graph->locations[value - b->first];
	bool had_room = to->n <= LOCATIONS_MOST;
	b->changed |= flow__locations_join(to, from);
	for (size_t i = 0; had_room && to->n > LOCATIONS_MOST && i < to->n; i++)
		b->graph->symbol.at[flow_location_symbol(to->at[i])].blurred = true;
}

static void join_operands(struct flow_build *b, uint32_t value)
{
	const struct flow_value *v = &b->program->value.at[value];
	for (uint32_t i = 0; i < v->operand.n; i++) {
		struct flow_locations from = flow__locations_of(b, operand(b, v, i));
		join(b, value, &from);
	}
}

/* -- pointers in memory ------------------------------------------------------------------------ */

/* Memory without a name gets its type from the first pointer to it whose type is known. */
static void type_nameless(struct flow_build *b, const struct flow_locations *locations,
			  uint32_t pointer)
{
	const struct flow_type *type = pointer == FLOW_NONE ? NULL : &b->program->type.at[pointer];
	if (!type || type->kind != SIS_BLAME_POINTER || type->element == FLOW_NONE ||
	    !b->program->type.at[type->element].size)
		return;
	for (size_t i = 0; i < locations->n; i++) {
		struct flow_symbol *s =
			&b->graph->symbol.at[flow_location_symbol(locations->at[i])];
		if (s->type == FLOW_NONE && flow_is_nameless(b->program, s) &&
		    (locations->at[i] & UINT32_MAX) == 0) {
			s->type = type->element;
			b->changed = true;
		}
	}
}

/* A small struct is loaded and stored as one number, so one access may have several handles. Adds
 * the locations of all handles after the first one. */
static void add_packed_handles(struct flow_build *b, const struct flow_value *v,
			       flow_location location, struct flow_locations *into)
{
	if (!b->analysis->small_handles || v->number > POINTER_BYTES)
		return;
	for (int64_t delta = HANDLE_BYTES; delta < v->number; delta += HANDLE_BYTES) {
		flow_location at = flow__location_at(b, location, delta);
		uint32_t type = flow_type_at(b->program,
					     b->graph->symbol.at[flow_location_symbol(at)].type,
					     flow_location_offset(at));
		if (flow__is_handle(b, type) && b->program->type.at[type].size < POINTER_BYTES)
			flow__locations_add(into, at);
	}
}

/* The locations of an access that may hold pointers or handles. The caller frees them. */
static struct flow_locations accessed(struct flow_build *b, const struct flow_value *v)
{
	struct flow_locations of = flow__locations_of(b, operand(b, v, 0)), locations = { 0 };
	bool is_pointer = v->number == 0 || v->number == POINTER_BYTES;
	for (size_t i = 0; i < of.n; i++) {
		if (is_pointer || (b->analysis->small_handles && flow__handle_at(b, of.at[i])))
			flow__locations_add(&locations, of.at[i]);
		add_packed_handles(b, v, of.at[i], &locations);
	}
	return locations;
}

static void store(struct flow_build *b, const struct flow_value *v)
{
	struct flow_locations from = flow__locations_of(b, operand(b, v, 1));
	struct flow_locations to = from.n ? accessed(b, v) : (struct flow_locations){ 0 };
	for (size_t i = 0; i < to.n; i++) {
		const struct flow_symbol *s = &b->graph->symbol.at[flow_location_symbol(to.at[i])];
		uint32_t type = flow_type_at(b->program, s->type, flow_location_offset(to.at[i]));
		flow__store(b, to.at[i], &from);
		type_nameless(b, &from, type);
	}
	free(to.at);
}

static void load(struct flow_build *b, uint32_t value, const struct flow_value *v)
{
	struct flow_locations from = accessed(b, v), into = { 0 };
	for (size_t i = 0; i < from.n; i++)
		flow__load(b, from.at[i], &into);
	join(b, value, &into);
	free(into.at);
	free(from.at);
}

/* Copies the pointers, handles and arrays of handles in a struct that was in memory before the
 * function began. */
static void copy_before(struct flow_build *b, flow_location to, flow_location from)
{
	const struct flow_symbol s = b->graph->symbol.at[flow_location_symbol(from)];
	if (!s.external || s.type == FLOW_NONE)
		return;
	const struct flow_type type = b->program->type.at[s.type];
	for (uint32_t i = 0; i < type.field.n && i < 64; i++) {
		const struct flow_field *f = &b->program->field.at[type.field.first + i];
		struct flow_locations locations = { 0 };
		if (f->type == FLOW_NONE ||
		    (b->program->type.at[f->type].kind != SIS_BLAME_POINTER &&
		     !flow__is_handle(b, flow_type_at(b->program, f->type, 0))))
			continue;
		flow__load(b, flow__location_at(b, from, (int64_t)(f->offset & INT32_MAX)),
			   &locations);
		flow__store(b, flow__location_at(b, to, (int64_t)(f->offset & INT32_MAX)),
			    &locations);
		free(locations.at);
	}
}

static void copy(struct flow_build *b, flow_location to, flow_location from, uint64_t size)
{
	const struct flow_cell cell = flow__cell_at(b, from, size);
	for (size_t i = 0; i < b->graph->content.n; i++) {
		struct flow_content *c = &b->graph->content.at[i];
		if (c->symbol != cell.symbol || c->offset < cell.low || c->offset >= cell.high)
			continue;
		struct flow_locations locations = { 0 };
		uint32_t offset = c->offset;
		flow__locations_join(&locations, &c->locations);
		flow__store(b,
			    flow__location_at(b, to, (int64_t)offset - flow_location_offset(from)),
			    &locations);
		free(locations.at);
	}
	const struct flow_type *type =
		flow_type_of(b->program, b->graph->symbol.at[cell.symbol].type);
	bool is_whole = type && type->kind == SIS_BLAME_STRUCT && type->size == size &&
		flow_location_offset(from) == 0;
	if (size == 0 || size > POINTER_BYTES || is_whole)
		copy_before(b, to, from);
}

static void move(struct flow_build *b, const struct flow_value *v)
{
	struct flow_locations to = flow__locations_of(b, operand(b, v, 0));
	struct flow_locations from = flow__locations_of(b, operand(b, v, 1));
	for (size_t i = 0; i < to.n; i++)
		for (size_t k = 0; k < from.n; k++)
			if (to.at[i] != from.at[k])
				copy(b, to.at[i], from.at[k], (uint64_t)v->number);
}

/* -- pointers in values ------------------------------------------------------------------------ */

static void add_location(struct flow_build *b, uint32_t value, flow_location location)
{
	join(b, value, &(struct flow_locations){ &location, 1, 1 });
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
		add_location(b, value,
			     flow_location_of(flow__symbol_behind_argument(b, number), 0));
}

static void alloca_memory(struct flow_build *b, uint32_t value, const struct flow_value *v)
{
	uint32_t symbol = v->object != FLOW_NONE ?
		flow__symbol_of_object(b, v->object) :
		flow__symbol_of_heap(b, &(struct flow_symbol){
			.a = value, .callee = FLOW_NONE, .inner = FLOW_NONE, .root = value,
			.type = FLOW_NONE });
	add_location(b, value, flow_location_of(symbol, 0));
}

static void visit(struct flow_build *b, uint32_t value)
{
	const struct flow_value *v = &b->program->value.at[value];
	struct flow_locations from;
	switch (v->op) {
	case SIS_BLAME_PARAMETER:
		parameter(b, value, v->object);
		break;
	case SIS_BLAME_ADDRESS:
		/* constants and functions are never written, so they have no symbols */
		if (v->object != FLOW_NONE &&
		    b->program->object.at[v->object].kind != SIS_BLAME_CONSTANT &&
		    b->program->object.at[v->object].kind != SIS_BLAME_FUNCTION)
			add_location(b, value,
				     flow_location_of(flow__symbol_of_object(b, v->object), 0));
		break;
	case SIS_BLAME_FIELD:
		from = flow__locations_of(b, operand(b, v, 0));
		for (size_t i = 0; i < from.n; i++)
			add_location(b, value, flow__location_of_field(b, from.at[i], v->number));
		break;
	case SIS_BLAME_INDEX:
		from = flow__locations_of(b, operand(b, v, 0));
		for (size_t i = 0; i < from.n; i++)
			add_location(b, value,
				     flow__location_of_element(b, from.at[i], (uint64_t)v->number));
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
		from = flow__locations_of(b, value);
		if (v->object != FLOW_NONE)
			type_nameless(b, &from, b->program->object.at[v->object].type);
		break;
	case SIS_BLAME_COMPUTE:
	case SIS_BLAME_MEET:
	case SIS_BLAME_ASSEMBLY:
		join_operands(b, value);
		break;
	case SIS_BLAME_RETURN:
		from = flow__locations_of(b, operand(b, v, 0));
		type_nameless(b, &from, b->function->result);
		b->changed |= flow__locations_join(&b->graph->result, &from);
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
	b->graph->locations = mem_alloc(b->n + 1, sizeof *b->graph->locations);
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
