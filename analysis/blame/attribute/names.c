/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - names the memory that a function accesses (names.h). One thread calls it. Memory behind
 * pointers is named in this order. Memory that a parameter or a global variable reached when the
 * function began has the access path from there. Memory that the function or its callees made is
 * named by the variable nearest to the call that made it (claims.h), else by the first local
 * pointer to it, else by the first memory that points to it, else by a pointer to void. "First" is
 * the lowest number, which is the order of declarations. So the choice does not depend on the names
 * of variables. */
#include "blame/attribute/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sort.h"
#include "blame/attribute/claims.h"
#include "blame/flow/types.h"

#define MEMBERS_SHOWN 3u /* most members of a union */

/* -- variables of the function ----------------------------------------------------------------- */

static uint32_t put(struct names *n, const struct variable *variable)
{
	bool fresh;
	uint32_t at = map_put(&n->variables, variable->kind, variable->id,
			      (uint32_t)n->variable.n, &fresh);
	if (fresh)
		*vec_push(&n->variable) = *variable;
	else
		free(variable->name);
	return at;
}

uint32_t names_of_object(struct names *n, uint32_t number)
{
	const struct flow_object *o = number == FLOW_NONE ? NULL : &n->program->object.at[number];
	enum blame_variable_kind kind;
	if (!o || !*o->name)
		return FLOW_NONE;
	switch (o->kind) {
	case SIS_BLAME_GLOBAL:
		kind = BLAME_GLOBAL;
		break;
	case SIS_BLAME_STATIC:
		kind = BLAME_STATIC;
		break;
	case SIS_BLAME_LOCAL:
		kind = o->flags & SIS_BLAME_OBJECT_PARAMETER ? BLAME_PARAMETER : BLAME_LOCAL;
		break;
	default:
		return FLOW_NONE;
	}
	return put(n, &(struct variable){ kind, number, mem_string(o->name), o->type, o->file,
					  o->line });
}

uint32_t names_of_kind(struct names *n, enum blame_variable_kind kind)
{
	const char *text = kind == BLAME_OUTPUT ? "Output" :
		kind == BLAME_RESULT ? "result" : "Other";
	return put(n, &(struct variable){ kind, 0, mem_string(text), FLOW_NONE, FLOW_NONE, 0 });
}

static uint32_t heap_variable(struct names *n, uint32_t number)
{
	const struct flow_symbol *s = &n->graph->symbol.at[number];
	const struct flow_program *p = n->program;
	const struct flow_value *v = &p->value.at[s->root];
	const char *routine = "memory", *file = "?";
	uint32_t callee = v->op == SIS_BLAME_CALL ? p->number.at[v->operand.first] : FLOW_NONE;
	const struct flow_statement *at =
		&p->statement.at[p->function.at[flow_function_of(p, s->root)].statement.first +
			      v->statement];
	if (callee != FLOW_NONE && p->value.at[callee].op == SIS_BLAME_ADDRESS &&
	    p->value.at[callee].object != FLOW_NONE)
		routine = p->object.at[p->value.at[callee].object].name;
	if (at->file != FLOW_NONE)
		file = p->file.at[at->file];
	const char *base = strrchr(file, '/');
	const char *type = s->type == FLOW_NONE ? "" : p->type.at[s->type].name;
	char *name = mem_print("%s at %s:%u%s%s%s", routine, base ? base + 1 : file, at->line,
			       *type ? " (" : "", type, *type ? ")" : "");
	return put(n, &(struct variable){ BLAME_HEAP, number, name, s->type, at->file, at->line });
}

/* -- access paths ------------------------------------------------------------------------------ */

/* The field of a type that contains [low, high); NULL: no field contains it. */
static const struct flow_field *field_of(const struct flow_program *p, const struct flow_type *type,
					 uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < type->field.n; i++) {
		const struct flow_field *f = &p->field.at[type->field.first + i];
		if (f->offset <= low && high <= f->offset + f->size)
			return f;
	}
	return NULL;
}

/* Adds the members of a union that share bytes of [low, high) as "x|y", because it is not known
 * which of them the program means. False: only one member has these bytes. */
static bool add_overlapping(const struct flow_program *p, struct buf *text,
			    const struct flow_type *type, uint64_t low, uint64_t high,
			    const char *joint)
{
	uint32_t n = 0, shown = 0;
	for (uint32_t i = 0; i < type->field.n; i++) {
		const struct flow_field *f = &p->field.at[type->field.first + i];
		n += f->offset < high && low < f->offset + f->size;
	}
	for (uint32_t i = 0; n > 1 && i < type->field.n && shown <= MEMBERS_SHOWN; i++) {
		const struct flow_field *f = &p->field.at[type->field.first + i];
		if (f->offset >= high || low >= f->offset + f->size || !*f->name)
			continue;
		buf_print(text, "%s%s", shown ? "|" : joint,
			  shown < MEMBERS_SHOWN ? f->name : "...");
		shown++;
	}
	return n > 1;
}

/* Adds the names of the fields around [low, high): ".a.b". The path ends at the members of a
 * union. */
static void add_fields(const struct flow_program *p, struct buf *text, uint32_t number,
		       uint64_t low, uint64_t high, const char *joint)
{
	for (int steps = 0; steps < 32 && number != FLOW_NONE; steps++) {
		const struct flow_type *type = &p->type.at[number];
		const struct flow_field *field;
		if (type->kind == SIS_BLAME_ARRAY) {
			number = type->element;
			continue;
		}
		if ((type->kind != SIS_BLAME_STRUCT && type->kind != SIS_BLAME_UNION) ||
		    (type->kind == SIS_BLAME_UNION &&
		     add_overlapping(p, text, type, low, high, joint)) ||
		    !(field = field_of(p, type, low, high)))
			return;
		if (*field->name) {
			buf_print(text, "%s%s", joint, field->name);
			joint = ".";
		}
		low -= field->offset;
		high -= field->offset;
		number = field->type;
	}
}

static char *path_of(const struct names *n, uint32_t symbol, uint32_t low, uint64_t high)
{
	const struct symbol_name *name = &n->symbol[symbol];
	struct buf text = { 0 };
	buf_print(&text, "%s", name->text);
	add_fields(n->program, &text, n->graph->symbol.at[symbol].type, low, high, name->joint);
	return buf_take(&text);
}

struct part names_of_cell(struct names *n, const struct flow_cell *cell)
{
	const struct symbol_name *name = &n->symbol[cell->symbol];
	bool fresh;
	if (name->variable == FLOW_NONE)
		return (struct part){ FLOW_NONE, 0 };
	char *path = path_of(n, cell->symbol, cell->low, cell->high);
	bool is_object = strcmp(name->joint, "::") == 0 && strcmp(path, name->text) == 0;
	if (is_object || strcmp(path, n->variable.at[name->variable].name) == 0)
		*path = 0;
	uint32_t field = strmap_put(&n->fields, path, (uint32_t)n->field.n, &fresh);
	if (fresh)
		*vec_push(&n->field) = path;
	else
		free(path);
	return (struct part){ name->variable, field };
}

/* -- names of symbols -------------------------------------------------------------------------- */

static bool can_be_named(const struct names *n, uint32_t symbol)
{
	return n->symbol[symbol].variable == FLOW_NONE && !n->graph->symbol.at[symbol].passed;
}

/* Whether the symbol is a variable. A variable is not named by the pointers to it. */
static bool is_variable(const struct names *n, uint32_t symbol)
{
	const struct flow_symbol *s = &n->graph->symbol.at[symbol];
	return s->kind == FLOW_OBJECT && !flow_is_nameless(n->program, s);
}

/* Names a symbol, unless the symbol has a name already. Takes ownership of `text`. */
static void set(struct names *n, uint32_t symbol, uint32_t variable, char *text, bool pointed)
{
	if (can_be_named(n, symbol) && variable != FLOW_NONE)
		n->symbol[symbol] = (struct symbol_name){ variable, text, pointed,
							  pointed ? "->" : "." };
	else
		free(text);
}

/* Names the memory behind the pointer in symbol `a` at `offset`: as the pointer, or, behind `this`,
 * as the class. A lambda has no name. */
static void set_behind(struct names *n, uint32_t symbol, uint32_t a, uint32_t offset)
{
	const struct flow_program *p = n->program;
	const struct flow_symbol *pointer = &n->graph->symbol.at[a];
	uint32_t number = flow_type_at(p, pointer->type, offset);
	const struct flow_type *type = flow_type_of(p, number);
	uint32_t variable = n->symbol[a].variable;
	const struct variable *of = &n->variable.at[variable];
	bool is_this = pointer->kind == FLOW_ARGUMENT && of->kind == BLAME_PARAMETER &&
		p->object.at[of->id].flags & SIS_BLAME_OBJECT_THIS;
	set(n, symbol, variable, path_of(n, a, offset, (uint64_t)offset + 8), true);
	struct symbol_name *name = &n->symbol[symbol];
	if (is_this && type && type->element != FLOW_NONE) {
		const char *class = p->type.at[type->element].name;
		bool is_lambda = strcmp(class, "(lambda)") == 0;
		free(name->text);
		name->text = mem_string(is_lambda ? "" : class);
		name->joint = is_lambda ? "" : "::";
	} else if (flow_is_reference(p, number)) {
		name->joint = ".";
	}
}

/* Whether the function knows the memory that a handle stands for. If it does, the symbol behind the
 * handle gets no name, because this symbol stands for memory that only callers know. */
static bool is_known_handle(const struct names *n, const struct flow_symbol *s)
{
	uint32_t at = s->handle ? map_get(&n->graph->contents, s->a, s->offset) : MAP_NONE;
	return at != MAP_NONE && n->graph->content.at[at].locations.n;
}

/* Names the symbols that are variables, or to which a path leads from a parameter or a global
 * variable. One pass is enough, because a symbol behind another one has the higher number. */
static void name_by_themselves(struct names *n)
{
	for (uint32_t i = 0; i < n->graph->symbol.n; i++) {
		const struct flow_symbol *s = &n->graph->symbol.at[i];
		if (s->kind == FLOW_OBJECT) {
			uint32_t variable = names_of_object(n, s->a);
			set(n, i, variable, mem_string(n->program->object.at[s->a].name), false);
		} else if (s->kind == FLOW_ARGUMENT) {
			const struct flow_range list =
				n->program->function.at[n->graph->function].parameter;
			uint32_t object = s->a < list.n ?
				n->program->number.at[list.first + s->a] : FLOW_NONE;
			uint32_t variable = names_of_object(n, object);
			if (variable != FLOW_NONE)
				set(n, i, variable,
				    mem_string(n->program->object.at[object].name), false);
		} else if (s->kind == FLOW_BEHIND && s->depth > 1 &&
			   n->graph->coarse == FLOW_ONE) {
			uint32_t variable = put(n, &(struct variable){
				BLAME_HEAP, FLOW_NONE, mem_string("memory"), FLOW_NONE, FLOW_NONE,
				0 });
			set(n, i, variable, mem_string("memory"), true);
		} else if (s->kind == FLOW_BEHIND && n->symbol[s->a].variable != FLOW_NONE &&
			   !is_known_handle(n, s)) {
			set_behind(n, i, s->a, s->offset);
		}
	}
}

/* Names a symbol by the memory that points to it. False: this memory has no name, or the symbol
 * cannot get one. */
static bool name_by_content(struct names *n, uint32_t symbol, const struct flow_content *c)
{
	if (!can_be_named(n, symbol) || is_variable(n, symbol) ||
	    n->symbol[c->symbol].variable == FLOW_NONE)
		return false;
	set(n, symbol, n->symbol[c->symbol].variable,
	    path_of(n, c->symbol, c->offset, (uint64_t)c->offset + 8), true);
	return true;
}

/* Names memory that the function or its callees made by the nearest variable. The claims of one
 * distance are visited repeatedly, because memory that names other memory may get its own name by a
 * claim of the same distance. */
static void name_by_claims(struct names *n)
{
	struct claims claims = { 0 };
	claims_find(&claims, n->program, n->graph);
	for (size_t first = 0, end; first < claims.list.n; first = end) {
		uint32_t distance = claims.list.at[first].distance;
		end = search_first(i, first, claims.list.n,
				   claims.list.at[i].distance <= distance);
		for (bool more = true; more;) {
			more = false;
			for (size_t i = first; i < end; i++) {
				const struct claim *c = &claims.list.at[i];
				if (c->object == FLOW_NONE)
					more |= name_by_content(n, c->symbol,
						&n->graph->content.at[c->content]);
				else
					set(n, c->symbol, names_of_object(n, c->object),
					    mem_string(n->program->object.at[c->object].name),
					    true);
			}
		}
	}
	vec_free(&claims.list);
}

/* Names memory to which local pointers point by the pointer that is declared first. */
static void name_by_pointers(struct names *n, bool to_void)
{
	const struct flow_range values = n->program->function.at[n->graph->function].value;
	uint32_t *best = mem_alloc(n->graph->symbol.n + 1, sizeof *best); /* for each symbol, the
	                                                                   * number of an object,
	                                                                   * plus 1; 0: none */
	for (uint32_t i = 0; i < values.n; i++) {
		const struct flow_value *v = &n->program->value.at[values.first + i];
		if (v->op != SIS_BLAME_DEFINE || v->object == FLOW_NONE ||
		    !*n->program->object.at[v->object].name ||
		    claims_is_name(n->program, v->object) == to_void)
			continue;
		for (size_t k = 0; k < n->graph->locations[i].n; k++) {
			uint32_t symbol = flow_location_symbol(n->graph->locations[i].at[k]);
			if (!best[symbol] || best[symbol] > v->object + 1)
				best[symbol] = v->object + 1;
		}
	}
	for (uint32_t i = 0; i < n->graph->symbol.n; i++)
		if (best[i] && !is_variable(n, i))
			set(n, i, names_of_object(n, best[i] - 1),
			    mem_string(n->program->object.at[best[i] - 1].name), true);
	free(best);
}

/* Names memory without a name by memory that has a name and points to it, nearest first. */
static void name_by_contents(struct names *n)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < n->graph->content.n; i++) {
			const struct flow_content *c = &n->graph->content.at[i];
			for (size_t k = 0; k < c->locations.n; k++)
				more |= name_by_content(n, flow_location_symbol(c->locations.at[k]),
							c);
		}
	}
}

void names_init(struct names *n, const struct flow_program *program, const struct flow_graph *graph)
{
	bool fresh;
	*n = (struct names){ .program = program, .graph = graph };
	n->symbol = mem_alloc(graph->symbol.n + 1, sizeof *n->symbol);
	for (size_t i = 0; i < graph->symbol.n; i++)
		n->symbol[i].variable = FLOW_NONE;
	strmap_put(&n->fields, "", 0, &fresh);
	*vec_push(&n->field) = mem_string("");
	name_by_themselves(n);
	name_by_claims(n);
	name_by_pointers(n, false);
	name_by_contents(n);
	name_by_pointers(n, true);
	name_by_contents(n);
	for (uint32_t i = 0; i < graph->symbol.n; i++)
		if (graph->symbol.at[i].kind == FLOW_HEAP && !graph->symbol.at[i].passed &&
		    n->symbol[i].variable == FLOW_NONE) {
			uint32_t variable = heap_variable(n, i);
			set(n, i, variable, mem_string(n->variable.at[variable].name), true);
		}
	name_by_contents(n);
}

void names_release(struct names *n)
{
	for (size_t i = 0; n->symbol && i < n->graph->symbol.n; i++)
		free(n->symbol[i].text);
	for (size_t i = 0; i < n->variable.n; i++)
		free(n->variable.at[i].name);
	for (size_t i = 0; i < n->field.n; i++)
		free(n->field.at[i]);
	free(n->symbol);
	vec_free(&n->variable);
	vec_free(&n->field);
	map_free(&n->variables);
	strmap_free(&n->fields);
	*n = (struct names){ 0 };
}
