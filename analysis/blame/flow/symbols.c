/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols.c - memory from the point of view of one function: symbols, locations, cells, and the
 * targets of pointers in memory. One thread calls it. The idea: types bound the number of
 * locations. An offset is reduced to the first element of each array around it. A list or tree of
 * structs of one type is one symbol behind its first pointer. The depth of pointers is limited
 * (DEPTH_MOST), and so are the offsets in memory without a type (UNTYPED_BYTES). */
#include "blame/flow/graph_internal.h"

#include <string.h>

#include "base/sort.h"
#include "blame/flow/types.h"

#define DEPTH_MOST 6u          /* most nested `behind` */
#define CALLS_MOST 3u          /* most nested calls around an allocation */
#define SYMBOLS_MOST 512u      /* most symbols of a graph that is not coarse */
#define POINTERS_MOST 64u      /* most targets of one pointer in memory; with more, the graph
                                * becomes coarser */
#define DEFINITIONS_MOST 4096u /* most definitions of a coarse graph */
#define HEAPS_MANY 96u         /* with more heap symbols, memory that callees' callees made has one
                                * symbol per type */
#define HEAPS_MOST 192u        /* with more, the same applies to memory that callees made */
#define UNTYPED_BYTES 4096u    /* larger offsets become 0 if the type is not known */

/* -- symbols ----------------------------------------------------------------------------------- */

static uint32_t put_symbol(struct flow_build *b, const struct flow_symbol *symbol)
{
	struct flow_graph *g = b->graph;
	uint64_t more = symbol->kind == FLOW_HEAP ?
		(uint64_t)symbol->callee << 32 | symbol->inner :
		symbol->offset;
	bool fresh;
	uint32_t at = map_put(&g->symbols, (uint64_t)symbol->kind << 32 | symbol->a, more,
			      (uint32_t)g->symbol.n, &fresh);
	if (fresh) {
		*vec_push(&g->symbol) = *symbol;
		b->changed = true;
	}
	g->symbol.at[at].handle |= symbol->handle;
	return at;
}

uint32_t flow__symbol_of_object(struct flow_build *b, uint32_t number)
{
	const struct flow_object *object = &b->program->object.at[number];
	bool external = object->kind == SIS_BLAME_GLOBAL || object->kind == SIS_BLAME_STATIC;
	return put_symbol(b, &(struct flow_symbol){ .kind = FLOW_OBJECT, .a = number,
						    .external = external, .type = object->type });
}

uint32_t flow__symbol_behind_argument(struct flow_build *b, uint32_t number)
{
	const struct flow_range parameters = b->function->parameter;
	uint32_t object = number < parameters.n ?
		b->program->number.at[parameters.first + number] : FLOW_NONE;
	uint32_t type = object == FLOW_NONE ? FLOW_NONE : b->program->object.at[object].type;
	uint32_t argument = put_symbol(b, &(struct flow_symbol){
		.kind = FLOW_ARGUMENT, .a = number, .external = true, .type = type });
	return flow__symbol_behind(b, argument, 0);
}

/* A symbol with this struct type on the path to `symbol`, so that lists and trees are one symbol;
 * FLOW_NONE: there is none. */
static uint32_t same_type_before(const struct flow_build *b, uint32_t symbol, uint32_t number)
{
	const struct flow_type *type = flow_type_of(b->program, number);
	if (!type || (type->kind != SIS_BLAME_STRUCT && type->kind != SIS_BLAME_UNION))
		return FLOW_NONE;
	for (;;) {
		const struct flow_symbol *s = &b->graph->symbol.at[symbol];
		if (s->type == number && s->kind != FLOW_ARGUMENT)
			return symbol;
		if (s->kind != FLOW_BEHIND)
			return FLOW_NONE;
		symbol = s->a;
	}
}

/* Returns the one symbol that a coarse graph has for memory of symbol->type (FLOW_NONE: of all
 * types) behind pointers that are in memory, not in arguments. Makes it if there is none. */
static uint32_t put_by_type(struct flow_build *b, const struct flow_symbol *symbol)
{
	struct flow_graph *g = b->graph;
	struct flow_definition definition = { 0, symbol->a, symbol->offset };
	bool fresh;
	definition.symbol = map_put(&g->symbols, (uint64_t)FLOW_BEHIND << 32 | FLOW_NONE,
				    symbol->type, (uint32_t)g->symbol.n, &fresh);
	if (fresh) {
		*vec_push(&g->symbol) = *symbol;
		g->symbol.at[definition.symbol].blurred = symbol->type == FLOW_NONE;
		b->changed = true;
	}
	map_put(&g->definitions, (uint64_t)definition.symbol << 32 | symbol->a, symbol->offset, 0,
		&fresh);
	if (fresh && g->definition.n < DEFINITIONS_MOST)
		*vec_push(&g->definition) = definition;
	return definition.symbol;
}

static uint32_t symbol_behind(struct flow_build *b, uint32_t symbol, uint32_t offset, bool handle)
{
	const struct flow_symbol before = b->graph->symbol.at[symbol];
	uint32_t type = flow_pointee(b->program, flow_type_at(b->program, before.type, offset));
	uint32_t same = same_type_before(b, symbol, type);
	if (same != FLOW_NONE)
		return same;
	if (b->graph->coarse == FLOW_ONE)
		type = FLOW_NONE;
	struct flow_symbol behind = { .kind = FLOW_BEHIND, .a = symbol, .offset = offset,
				      .depth = before.depth + 1, .external = true, .type = type };
	if (b->graph->coarse && before.kind != FLOW_ARGUMENT) {
		behind.depth = 2;
		return put_by_type(b, &behind);
	}
	if (before.depth >= DEPTH_MOST) {
		b->graph->symbol.at[symbol].blurred = true;
		return symbol;
	}
	behind.handle = handle;
	return put_symbol(b, &behind);
}

uint32_t flow__symbol_behind(struct flow_build *b, uint32_t symbol, uint32_t offset)
{
	return symbol_behind(b, symbol, offset,
			     flow__handle_at(b, flow_location_of(symbol, offset)));
}

bool flow_is_nameless(const struct flow_program *program, const struct flow_symbol *symbol)
{
	return symbol->kind == FLOW_HEAP ||
	       (symbol->kind == FLOW_OBJECT &&
		(program->object.at[symbol->a].kind == SIS_BLAME_UNNAMED ||
		 !*program->object.at[symbol->a].name));
}

uint32_t flow__symbol_of_heap(struct flow_build *b, const struct flow_symbol *heap)
{
	struct flow_symbol symbol = *heap;
	size_t before = b->graph->symbol.n;
	symbol.kind = FLOW_HEAP;
	if (symbol.depth > CALLS_MOST || (b->recursive && symbol.callee != FLOW_NONE)) {
		symbol.a = symbol.root;
		symbol.callee = symbol.inner = FLOW_NONE;
	}
	const struct flow_graph *g = b->graph;
	bool many = g->coarse || (heap->depth > 1 && g->heaps >= HEAPS_MANY) ||
		g->heaps >= HEAPS_MOST;
	if (many && heap->callee != FLOW_NONE) { /* all such memory of one type shares a symbol */
		symbol.a = symbol.callee = FLOW_NONE;
		symbol.inner = symbol.type = b->graph->coarse == FLOW_ONE ? FLOW_NONE :
									   symbol.type;
	}
	uint32_t number = put_symbol(b, &symbol);
	b->graph->heaps += b->graph->symbol.n > before;
	return number;
}

uint32_t flow_heap_find(const struct flow_graph *g, uint32_t call, uint32_t callee, uint32_t inner)
{
	uint32_t at = map_get(&g->symbols, (uint64_t)FLOW_HEAP << 32 | call,
			      (uint64_t)callee << 32 | inner);
	return at == MAP_NONE ? FLOW_NONE : at;
}

uint32_t flow__symbol_of_passed(struct flow_build *b, uint32_t call, uint32_t callee)
{
	return put_symbol(b, &(struct flow_symbol){
		.kind = FLOW_HEAP, .a = call, .callee = callee, .inner = FLOW_NONE, .root = call,
		.type = FLOW_NONE, .blurred = true, .passed = true });
}

uint32_t flow__symbol_of_variable_arguments(struct flow_build *b)
{
	uint32_t symbol = flow__symbol_behind_argument(b, b->function->parameter.n);
	b->graph->symbol.at[symbol].blurred = true;
	return symbol;
}

/* -- locations --------------------------------------------------------------------------------- */

static uint32_t reduced(const struct flow_build *b, uint32_t number, int64_t offset)
{
	const struct flow_symbol *s = &b->graph->symbol.at[number];
	const struct flow_type *type = flow_type_of(b->program, s->type);
	if (s->blurred || (b->graph->coarse >= FLOW_COARSE &&
	    (s->kind != FLOW_OBJECT || (b->graph->coarse == FLOW_ONE && s->external))))
		return 0;
	if (!type || !type->size)
		return offset >= 0 && offset < UNTYPED_BYTES ? (uint32_t)offset : 0;
	int64_t size = (int64_t)(type->size & INT64_MAX);
	uint64_t inside = (uint64_t)(offset % size + (offset % size < 0 ? size : 0));
	flow_type_descend(b->program, s->type, &inside, NULL, NULL);
	return inside < INT32_MAX ? (uint32_t)inside : 0;
}

flow_location flow__location_at(struct flow_build *b, flow_location location, int64_t delta)
{
	uint32_t symbol = flow_location_symbol(location);
	int64_t offset;
	if (__builtin_add_overflow((int64_t)flow_location_offset(location), delta, &offset))
		offset = 0;
	return flow_location_of(symbol, reduced(b, symbol, offset)) |
		(delta == 0 ? location & FLOW_FIRST_FIELD : 0);
}

flow_location flow__location_of_field(struct flow_build *b, flow_location location, int64_t offset)
{
	flow_location at = flow__location_at(b, location, offset);
	return offset == 0 && flow_location_offset(at) == 0 ? at | FLOW_FIRST_FIELD : at;
}

flow_location flow__location_from(struct flow_build *b, flow_location base, flow_location location)
{
	flow_location at = flow__location_at(b, base, flow_location_offset(location));
	return flow_location_offset(at) == 0 ? at | (location & FLOW_FIRST_FIELD) : at;
}

flow_location flow__location_of_element(struct flow_build *b, flow_location location,
					uint64_t stride)
{
	uint32_t symbol = flow_location_symbol(location), offset = flow_location_offset(location);
	struct flow_symbol *s = &b->graph->symbol.at[symbol];
	const struct flow_type *type = flow_type_of(b->program, s->type);
	if (stride && (!type || !type->size) && offset >= stride)
		offset = (uint32_t)(offset % stride);
	return flow_location_of(symbol, reduced(b, symbol, offset)) | (location & FLOW_FIRST_FIELD);
}

struct flow_cell flow__cell_at(struct flow_build *b, flow_location location, uint64_t size)
{
	struct flow_cell cell = { flow_location_symbol(location), flow_location_offset(location),
				  FLOW_END };
	const struct flow_symbol *s = &b->graph->symbol.at[cell.symbol];
	const struct flow_type *type = flow_type_of(b->program, s->type);
	if (s->blurred || (b->graph->coarse >= FLOW_COARSE &&
	    (s->kind != FLOW_OBJECT || (b->graph->coarse == FLOW_ONE && s->external))))
		cell.low = 0;
	else if (type && type->size && size >= type->size)
		cell.low = 0;
	else if (size && size < FLOW_END - cell.low)
		cell.high = cell.low + (uint32_t)size;
	return cell;
}

/* Whether a location is a field. A location at the begin of a structure is a field only with
 * FLOW_FIRST_FIELD; otherwise it is the whole structure. */
static bool points_to_field(flow_location location)
{
	return flow_location_offset(location) || location & FLOW_FIRST_FIELD;
}

struct flow_cell flow__cell_around(struct flow_build *b, flow_location location)
{
	const struct flow_symbol *s = &b->graph->symbol.at[flow_location_symbol(location)];
	const struct flow_type *type = flow_type_of(b->program, flow_element(b->program, s->type));
	uint64_t offset = flow_location_offset(location);
	const struct flow_field *field = points_to_field(location) && type &&
			type->kind == SIS_BLAME_STRUCT ?
		flow_field_at(b->program, type, offset) :
		NULL;
	return flow__cell_at(b, location, field ? field->size - (offset - field->offset) : 0);
}

/* Whether the address of a global structure may mean its first member, which is an array. The
 * compiler uses one constant for both addresses, so FLOW_FIRST_FIELD cannot tell them apart. A
 * first member that is no array is never assumed. LIMIT: if a global structure is passed as a
 * pointer to elements of its first array, only this array is meant. */
static bool may_be_first_array(const struct flow_build *b, const struct flow_symbol *s)
{
	const struct flow_type *type = flow_type_of(b->program, s->type), *first;
	if (s->kind != FLOW_OBJECT || !s->external || !type || type->kind != SIS_BLAME_STRUCT ||
	    !type->field.n)
		return false;
	first = flow_type_of(b->program, b->program->field.at[type->field.first].type);
	return first && first->kind == SIS_BLAME_ARRAY;
}

/* Searches from the outermost structure inwards for the first member whose elements have the
 * type. */
struct flow_cell flow__cell_of_elements(struct flow_build *b, flow_location location, uint32_t of)
{
	const struct flow_symbol *s = &b->graph->symbol.at[flow_location_symbol(location)];
	uint32_t type = flow_element(b->program, s->type);
	uint64_t begin = 0, rest = flow_location_offset(location);
	of = flow_element(b->program, of);
	if (flow_same_type(b->program, type, of))
		return flow__cell_at(b, location, 0);
	for (int steps = 0; steps < 32 && (points_to_field(location) || may_be_first_array(b, s));
	     steps++) {
		const struct flow_type *around = flow_type_of(b->program, type);
		const struct flow_field *field = around && around->kind == SIS_BLAME_STRUCT ?
			flow_field_at(b->program, around, rest) : NULL;
		if (!field)
			break;
		begin += field->offset;
		rest -= field->offset;
		type = flow_element(b->program, field->type);
		if (flow_same_type(b->program, type, of))
			return flow__cell_at(b, flow_location_of(flow_location_symbol(location),
								 (uint32_t)begin), field->size);
		const struct flow_type *element = flow_type_of(b->program, type);
		rest = element && element->size ? rest % element->size : 0;
	}
	return flow__cell_around(b, location);
}

struct flow_locations flow__locations_of(const struct flow_build *b, uint32_t value)
{
	return value == FLOW_NONE ? (struct flow_locations){ 0 } :
				    b->graph->locations[value - b->first];
}

bool flow_locations_hold(const struct flow_locations *locations, uint32_t symbol)
{
	size_t at = search_first(i, 0, locations->n,
				 flow_location_symbol(locations->at[i]) < symbol);
	return at < locations->n && flow_location_symbol(locations->at[at]) == symbol;
}

bool flow__locations_add(struct flow_locations *locations, flow_location location)
{
	size_t at = search_first(i, 0, locations->n, locations->at[i] < location);
	if (at < locations->n && locations->at[at] == location)
		return false;
	(void)vec_push(locations);
	memmove(locations->at + at + 1, locations->at + at,
		(locations->n - 1 - at) * sizeof *locations->at);
	locations->at[at] = location;
	return true;
}

bool flow__locations_join(struct flow_locations *to, const struct flow_locations *from)
{
	bool more = false;
	for (size_t i = 0; i < from->n; i++)
		more |= flow__locations_add(to, from->at[i]);
	return more;
}

/* -- contents of memory ------------------------------------------------------------------------ */

struct flow_content *flow__content(struct flow_build *b, uint32_t symbol, uint32_t offset)
{
	struct flow_graph *g = b->graph;
	bool fresh;
	uint32_t at = map_put(&g->contents, symbol, offset, (uint32_t)g->content.n, &fresh);
	if (fresh)
		*vec_push(&g->content) = (struct flow_content){ .symbol = symbol,
								.offset = offset };
	return &g->content.at[at];
}

bool flow__too_large(const struct flow_build *b)
{
	size_t symbols = b->graph->symbol.n;
	switch (b->graph->coarse) {
	case FLOW_FINE:
		return b->flooded || symbols > SYMBOLS_MOST;
	case FLOW_BY_TYPE:
		return b->flooded;
	case FLOW_COARSE:
		return symbols > SYMBOLS_MOST / 2;
	default:
		return false;
	}
}

void flow__store(struct flow_build *b, flow_location location,
		 const struct flow_locations *locations)
{
	if (!locations->n)
		return;
	struct flow_content *content = flow__content(b, flow_location_symbol(location),
						     flow_location_offset(location));
	b->changed |= flow__locations_join(&content->locations, locations);
	b->flooded |= content->locations.n > POINTERS_MOST;
}

bool flow__is_handle(const struct flow_build *b, uint32_t type)
{
	return type != FLOW_NONE && b->analysis->handle[type];
}

bool flow__handle_at(const struct flow_build *b, flow_location location)
{
	uint32_t type = b->graph->symbol.at[flow_location_symbol(location)].type;
	return flow__is_handle(b, flow_type_at(b->program, type, flow_location_offset(location)));
}

static void add_content(const struct flow_build *b, flow_location location,
			struct flow_locations *into)
{
	uint32_t at = map_get(&b->graph->contents, flow_location_symbol(location),
			      flow_location_offset(location));
	if (at != MAP_NONE)
		flow__locations_join(into, &b->graph->content.at[at].locations);
}

void flow__load(struct flow_build *b, flow_location location, struct flow_locations *into)
{
	uint32_t symbol = flow_location_symbol(location), offset = flow_location_offset(location);
	const struct flow_symbol *s = &b->graph->symbol.at[symbol];
	uint32_t number = flow_type_at(b->program, s->type, offset);
	const struct flow_type *type = flow_type_of(b->program, number);
	bool may_hold_pointer = !type || s->blurred || flow__is_handle(b, number) ||
		(type->kind != SIS_BLAME_INTEGER && type->kind != SIS_BLAME_REAL);
	add_content(b, location, into);
	if (s->external && may_hold_pointer) {
		uint32_t behind = flow__symbol_behind(b, symbol, offset);
		flow__locations_add(into, flow_location_of(behind, 0));
	}
}

void flow__follow(struct flow_build *b, flow_location location, struct flow_locations *into)
{
	const struct flow_symbol *s = &b->graph->symbol.at[flow_location_symbol(location)];
	uint32_t offset = flow_location_offset(location);
	const struct flow_type *type =
		flow_type_of(b->program, flow_type_at(b->program, s->type, offset));
	if (!s->external || !type || type->kind != SIS_BLAME_INTEGER) {
		flow__load(b, location, into);
		return;
	}
	add_content(b, location, into);
	uint32_t behind = symbol_behind(b, flow_location_symbol(location), offset, true);
	flow__locations_add(into, flow_location_of(behind, 0));
}
