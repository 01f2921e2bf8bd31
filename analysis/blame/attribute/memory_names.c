/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_names.c - finds names for allocated memory (memory_names.h). One thread calls it. A graph
 * has a symbol for the memory that a call allocates. The symbol of the innermost frame is followed
 * from callee to caller: the caller's graph has a heap symbol for the pair of the call and the
 * callee's symbol. Each function on this way may have a name for the memory: that of the symbol in
 * the function's own graph (names.h).
 *
 * LIMIT: if a function has so much memory that symbols were merged, memory is not followed further.
 * The container of the memory is then that of the last function whose symbol for the memory is not
 * merged. */
#include "blame/attribute/memory_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "blame/attribute/call_chain.h"
#include "blame/attribute/names.h"

#define SYMBOLS_MOST 16u   /* most symbols of one stack in one function */
#define NAMES_SHOWN 3u
#define MAKERS_MOST 32     /* most nested tasks */
#define HOLDERS_MOST 8     /* longest chain of memory that holds a pointer to memory that holds a
                            * pointer ... */
#define COPIES_MOST 64u    /* most values between a call and a variable */
#define POINTER_BYTES 8u
#define STARS "***"
#define STARS_MOST (sizeof STARS - 1)

struct symbols { uint32_t at[SYMBOLS_MOST], n; };

struct search {
	const struct flow_program *program;
	const struct routines *routines;
	struct placed placed;      /* stacks, completed by the frames that tail calls replaced */
	struct flow_analysis flow;
	struct names *names;       /* of each function. If `graph` is NULL, the names were not made
	                            * yet */
};

/* How one function names the memory. If the function has no name for the memory, the texts are
 * "". */
struct known {
	char *text;                /* the pointer to the memory */
	const char *function;      /* the function that has this variable; "": none */
	char *container;           /* the variable that the memory is a part of */
	const char *container_function;
	bool returned;             /* the function returns the pointer */
};

/* -- symbols of the memory --------------------------------------------------------------------- */

static void add_symbol(struct symbols *s, uint32_t symbol)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->at[i] == symbol)
			return;
	if (symbol != FLOW_NONE && s->n < SYMBOLS_MOST)
		s->at[s->n++] = symbol;
}

static struct names *names_of(struct search *s, uint32_t function)
{
	struct names *names = &s->names[function];
	if (!names->graph)
		names_init(names, s->program, &s->flow.graph[function]);
	return names;
}

/* Whether a value is in one of the statements where the frame may be. True if `frame` is NULL. */
static bool is_at(const struct search *s, const struct placed_frame *frame, uint32_t value)
{
	for (uint32_t i = 0; frame && i < frame->count; i++)
		if (s->placed.statement.at[frame->first + i] ==
		    s->program->value.at[value].statement)
			return true;
	return !frame || frame->count == 0;
}

static bool makes_memory(const struct routine *routine)
{
	for (size_t i = 0; routine && i < routine->effects; i++)
		if (routine->effect[i].verb == ROUTINE_NEW)
			return true;
	return false;
}

/* Adds the memory made by the frame's calls of routine `name` or, if that is NULL, by all its calls
 * that may allocate memory. */
static void add_made(const struct search *s, const struct placed_frame *frame, const char *name,
		     struct symbols *symbols)
{
	const struct flow_graph *g = &s->flow.graph[frame->function];
	for (size_t i = 0; i < g->call.n; i++) {
		const struct flow_call *c = &g->call.at[i];
		bool fits = name ? c->name && strcmp(c->name, name) == 0 :
				   !c->name || makes_memory(c->routine);
		if (c->callee == FLOW_NONE && fits && is_at(s, frame, c->value))
			add_symbol(symbols, flow_heap_find(g, c->value, FLOW_NONE, FLOW_NONE));
	}
}

/* The symbols of the memory that the innermost frame allocated. The compiler may replace routines:
 * malloc and memset by calloc. So if no call has the routine's name, all allocating calls count.
 * There are no symbols if the frame called a library's routine that allocated the memory for
 * itself. */
static struct symbols allocated(const struct search *s, const struct placed_frame *frame)
{
	struct symbols symbols = { .n = 0 };
	if (frame->callee && !makes_memory(routines_find(s->routines, frame->callee)))
		return symbols;
	if (frame->callee)
		add_made(s, frame, frame->callee, &symbols);
	if (symbols.n == 0)
		add_made(s, frame, NULL, &symbols);
	return symbols;
}

/* Functions far above a call of malloc have one symbol for all memory that this call allocates.
 * This symbol is used only if all memory that points to it belongs to one variable. */
static uint32_t joined(struct search *s, uint32_t function, uint32_t root)
{
	const struct flow_graph *g = &s->flow.graph[function];
	uint32_t symbol = flow_heap_find(g, root, FLOW_NONE, FLOW_NONE), variable = FLOW_NONE;
	const struct names *names = symbol == FLOW_NONE ? NULL : names_of(s, function);
	for (size_t i = 0; names && i < g->content.n; i++) {
		const struct flow_content *c = &g->content.at[i];
		uint32_t holder = names->symbol[c->symbol].variable;
		if (c->symbol == symbol || !flow_locations_hold(&c->locations, symbol))
			continue;
		if (holder == FLOW_NONE || (variable != FLOW_NONE && holder != variable))
			return FLOW_NONE;
		variable = holder;
	}
	return symbol;
}

/* Translates the callee's symbols to those of `function`, which calls the callee in the frame. */
static struct symbols translated(struct search *s, const struct symbols *from, uint32_t callee,
				 uint32_t function, const struct placed_frame *frame)
{
	const struct flow_graph *g = &s->flow.graph[function];
	const struct flow_graph *inner = &s->flow.graph[callee];
	struct symbols to = { .n = 0 };
	bool task = s->program->function.at[callee].flags & SIS_BLAME_FUNCTION_TASK;
	for (size_t i = 0; i < g->call.n; i++) {
		const struct flow_call *c = &g->call.at[i];
		if (c->callee != callee || !is_at(s, task ? NULL : frame, c->value))
			continue;
		for (uint32_t k = 0; k < from->n; k++)
			add_symbol(&to, flow_heap_find(g, c->value, callee, from->at[k]));
	}
	for (uint32_t k = 0; to.n == 0 && k < from->n; k++)
		add_symbol(&to, joined(s, function, inner->symbol.at[from->at[k]].root));
	return to;
}

/* Translates the callee's symbols to those of the frame's function. If the callee is a task that
 * runs in a frame which did not create it, its symbols first go through the function that creates
 * the task. */
static struct symbols rise(struct search *s, const struct symbols *from, uint32_t callee,
			   const struct placed_frame *frame)
{
	const struct flow_function *function = s->program->function.at;
	struct symbols symbols = *from;
	bool left = false;
	for (int i = 0; i < MAKERS_MOST && callee != frame->function &&
	     (function[callee].flags & SIS_BLAME_FUNCTION_TASK); i++) {
		uint32_t maker = function[callee].around;
		if (maker == FLOW_NONE || maker == frame->function)
			break;
		symbols = translated(s, &symbols, callee, maker, NULL);
		callee = maker;
		left = true;
	}
	return translated(s, &symbols, callee, frame->function, left ? NULL : frame);
}

/* -- names of the memory in one function ------------------------------------------------------- */

static uint32_t source_function(const struct flow_program *p, uint32_t function)
{
	for (int i = 0; i < MAKERS_MOST && p->function.at[function].around != FLOW_NONE; i++)
		function = p->function.at[function].around;
	return function;
}

static const char *function_of(const struct search *s, uint32_t function, const struct variable *v)
{
	bool of_function = v->kind == BLAME_LOCAL || v->kind == BLAME_PARAMETER;
	return of_function ?
		s->program->function.at[source_function(s->program, function)].name : "";
}

/* The variable that names a symbol; NULL: there is none. */
static const struct variable *variable_of(const struct names *names, uint32_t symbol)
{
	uint32_t number = names->symbol[symbol].variable;
	const struct variable *v = number == FLOW_NONE ? NULL : &names->variable.at[number];
	return v && v->kind != BLAME_HEAP ? v : NULL;
}

/* The next content, from number `from` on, that has a pointer to the symbol; FLOW_NONE: there is
 * none. */
static uint32_t next_holder(const struct flow_graph *g, uint32_t symbol, uint32_t from)
{
	for (uint32_t i = from; i < g->content.n; i++)
		if (g->content.at[i].symbol != symbol &&
		    flow_locations_hold(&g->content.at[i].locations, symbol))
			return i;
	return FLOW_NONE;
}

/* Whether the symbol is a shared variable of a construct of OpenMP. In the graph, such variables
 * are behind parameters of the construct's body. The source has no pointers to them. */
static bool is_shared_variable(const struct search *s, const struct flow_graph *g, uint32_t symbol)
{
	const struct flow_symbol *of = &g->symbol.at[symbol];
	return of->kind == FLOW_BEHIND && g->symbol.at[of->a].kind == FLOW_ARGUMENT &&
		(s->program->function.at[g->function].flags &
		 (SIS_BLAME_FUNCTION_OUTLINED | SIS_BLAME_FUNCTION_TASK));
}

/* How many pointers must be followed from the named pointer to get the pointer to this symbol. For
 * an element of `double **a`, this is 1, and both pointers are named `a`. A container of C++ is no
 * pointer: its elements have its name, however many pointers lead to them. */
static uint32_t depth_of(const struct search *s, const struct names *names, uint32_t symbol)
{
	const struct flow_graph *g = names->graph;
	uint32_t depth = 0, type = names->variable.at[names->symbol[symbol].variable].type;
	bool is_object = type != FLOW_NONE && s->program->type.at[type].kind == SIS_BLAME_STRUCT;
	for (bool more = !is_object; more && depth < STARS_MOST;) {
		const char *text = names->symbol[symbol].text;
		more = false;
		for (uint32_t i = next_holder(g, symbol, 0); !more && i != FLOW_NONE;
		     i = next_holder(g, symbol, i + 1)) {
			uint32_t number = g->content.at[i].symbol;
			const struct symbol_name *holder = &names->symbol[number];
			more = holder->pointed && holder->text &&
				strcmp(holder->text, text) == 0 &&
				!is_shared_variable(s, g, number);
			if (more)
				symbol = number;
		}
		depth += more;
	}
	return depth;
}

/* Whether a value is computed from the result of a call. *steps is the number of values that may
 * still be looked at. */
static bool comes_from_call(const struct flow_program *p, uint32_t value, uint32_t *steps)
{
	const struct flow_value *v = value == FLOW_NONE ? NULL : &p->value.at[value];
	if (!v || *steps == 0)
		return false;
	--*steps;
	switch (v->op) {
	case SIS_BLAME_CALL:
		return true;
	case SIS_BLAME_FIELD:
	case SIS_BLAME_INDEX:
	case SIS_BLAME_COMPUTE:
	case SIS_BLAME_MEET:
	case SIS_BLAME_DEFINE:
		for (uint32_t i = 0; i < v->operand.n; i++)
			if (comes_from_call(p, flow_operand(p, value, i), steps))
				return true;
		return false;
	default:
		return false;
	}
}

/* Whether the variable only gets pointers that are loaded from memory, as the variable of a loop
 * over a list does. */
static bool only_visits(const struct search *s, uint32_t function, const struct variable *v)
{
	const struct flow_range values = s->program->function.at[function].value;
	bool any = false;
	if (v->kind != BLAME_LOCAL)
		return false;
	for (uint32_t i = values.first; i < values.first + values.n; i++) {
		const struct flow_value *value = &s->program->value.at[i];
		if (value->op != SIS_BLAME_DEFINE || value->object != v->id)
			continue;
		uint32_t steps = COPIES_MOST;
		any = true;
		if (comes_from_call(s->program, i, &steps))
			return false;
	}
	return any;
}

/* The variable that the symbol is a part of. Usually this is the variable that names the symbol. If
 * that variable only visits the symbol, the result is the variable that names the memory in which
 * the pointer to the symbol is. */
static const struct variable *container_of(const struct search *s, const struct names *names,
					   uint32_t symbol)
{
	const struct flow_graph *g = names->graph;
	const struct variable *first = variable_of(names, symbol), *v = first;
	for (int i = 0; i < HOLDERS_MOST && v && only_visits(s, g->function, v); i++) {
		uint32_t holder = next_holder(g, symbol, 0);
		if (holder == FLOW_NONE)
			return first;
		symbol = g->content.at[holder].symbol;
		v = variable_of(names, symbol);
	}
	return v ? v : first;
}

/* Adds one of several names to the text, unless the text has this name already. */
static void add_name(struct buf *text, const char *name, uint32_t *n)
{
	const char *at = text->at ? strstr(text->at, name) : NULL;
	size_t length = strlen(name);
	if (at && (at == text->at || at[-1] == '|') && (!at[length] || at[length] == '|'))
		return;
	if (*n <= NAMES_SHOWN)
		buf_print(text, "%s%s", *n ? "|" : "", *n < NAMES_SHOWN ? name : "...");
	++*n;
}

/* Adds the name of the pointer to a symbol. But a symbol may stand for all memory that a call of
 * malloc far below allocates. The name of such a symbol is that of only one of the pointers to the
 * memory, so the names of all these pointers in memory are added instead. */
static void add_pointers(const struct search *s, struct names *names, uint32_t symbol,
			 struct buf *text, uint32_t *n)
{
	const struct flow_graph *g = names->graph;
	const struct flow_range values = s->program->function.at[g->function].value;
	uint32_t call = g->symbol.at[symbol].a;
	bool joined_below = call < values.first || call >= values.first + values.n;
	uint32_t i = joined_below ? next_holder(g, symbol, 0) : FLOW_NONE;
	if (i == FLOW_NONE) {
		char *pointer = mem_print("%.*s%s", (int)depth_of(s, names, symbol), STARS,
					  names->symbol[symbol].text);
		add_name(text, pointer, n);
		free(pointer);
	}
	for (; i != FLOW_NONE; i = next_holder(g, symbol, i + 1)) {
		const struct flow_content *c = &g->content.at[i];
		struct part part = names_of_cell(names, &(struct flow_cell){
			c->symbol, c->offset, c->offset + POINTER_BYTES });
		if (part.variable != FLOW_NONE)
			add_name(text, part.field ? names->field.at[part.field] :
						    names->variable.at[part.variable].name, n);
	}
}

static struct known known_in(struct search *s, uint32_t function, const struct symbols *symbols)
{
	struct names *names = names_of(s, function);
	struct known known = { .function = "", .container_function = "",
			       .returned = symbols->n > 0 };
	struct buf text = { 0 }, containers = { 0 };
	uint32_t texts = 0, n = 0;
	for (uint32_t i = 0; i < symbols->n; i++) {
		uint32_t symbol = symbols->at[i];
		const struct variable *v = variable_of(names, symbol);
		known.returned &= flow_locations_hold(&names->graph->result, symbol);
		if (!v)
			continue;
		const struct variable *container = container_of(s, names, symbol);
		add_pointers(s, names, symbol, &text, &texts);
		add_name(&containers, container->name, &n);
		known.function = function_of(s, function, v);
		known.container_function = function_of(s, function, container);
	}
	known.text = buf_take(&text);
	known.container = buf_take(&containers);
	return known;
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = mem_string(with);
}

/* Sets the position of the statement in the frame's function that allocates the memory. */
static void set_place(const struct search *s, struct memory_name *name,
		      const struct placed_frame *frame)
{
	const struct flow_function *f = &s->program->function.at[frame->function];
	uint32_t file = f->file;
	name->line = f->line;
	if (frame->count) {
		const struct flow_statement *at =
			&s->program->statement.at[f->statement.first + frame->statement];
		file = at->file;
		name->line = at->line;
	}
	if (file != FLOW_NONE)
		replace(&name->file, s->program->file.at[file]);
}

static void take_type(struct search *s, struct memory_name *name, uint32_t function,
		      const struct symbols *symbols)
{
	const struct flow_graph *g = &s->flow.graph[function];
	uint32_t type = symbols->n ? g->symbol.at[symbols->at[0]].type : FLOW_NONE;
	for (uint32_t i = 1; i < symbols->n; i++)
		if (g->symbol.at[symbols->at[i]].type != type)
			type = FLOW_NONE;
	if (!*name->type && type != FLOW_NONE)
		replace(&name->type, s->program->type.at[type].name);
}

/* -- names of a whole stack -------------------------------------------------------------------- */

static bool is_further_out(const struct search *s, const struct placed_stack *stack, uint32_t i)
{
	const struct placed_frame *frame = &s->placed.frame.at[stack->first];
	uint32_t function = source_function(s->program, frame[i].function);
	for (uint32_t k = i + 1; k < stack->frames; k++)
		if (source_function(s->program, frame[k].function) == function)
			return true;
	return false;
}

/* The path has the functions from the outermost one, each once, then the library's routine if it
 * allocated the memory for itself. */
static void set_path(const struct search *s, struct memory_name *name,
		     const struct placed_stack *stack)
{
	const struct placed_frame *frame = &s->placed.frame.at[stack->first];
	struct buf path = { 0 };
	for (uint32_t i = stack->frames; i-- > 0;) {
		uint32_t function = source_function(s->program, frame[i].function);
		if (!is_further_out(s, stack, i))
			buf_print(&path, "%s%s", path.length ? "/" : "",
				  s->program->function.at[function].name);
	}
	const char *callee = frame->callee;
	if (callee && !makes_memory(routines_find(s->routines, callee)))
		buf_print(&path, "/%s", callee);
	free(name->path);
	name->path = buf_take(&path);
}

/* The innermost function that names the memory and does not return it gives the name and the
 * position. The outermost function that names the memory gives the container. */
static void find_name(struct search *s, const struct placed_stack *stack, struct memory_name *name)
{
	const struct placed_frame *frame = &s->placed.frame.at[stack->first];
	bool kept = false;
	struct symbols symbols = allocated(s, frame);
	set_place(s, name, frame);
	set_path(s, name, stack);
	for (uint32_t i = 0; i < stack->frames && symbols.n; i++) {
		if (i)
			symbols = rise(s, &symbols, frame[i - 1].function, &frame[i]);
		struct known known = known_in(s, frame[i].function, &symbols);
		if (*known.text && !kept) {
			replace(&name->name, known.text);
			replace(&name->function, known.function);
			set_place(s, name, &frame[i]);
			kept = !known.returned;
		}
		if (*known.text) {
			replace(&name->container, known.container);
			replace(&name->container_function, known.container_function);
		}
		take_type(s, name, frame[i].function, &symbols);
		free(known.text);
		free(known.container);
	}
}

void memory_names_find(struct memory_name *name, const struct flow_program *program,
		       const struct routines *routines, const struct placed *placed)
{
	struct search s = { .program = program, .routines = routines };
	bool any = false;
	for (size_t i = 0; i < placed->stack.n; i++) {
		name[i] = (struct memory_name){
			.name = mem_string(""), .function = mem_string(""),
			.container = mem_string(""), .container_function = mem_string(""),
			.type = mem_string(""), .path = mem_string(""), .file = mem_string("") };
		any |= placed->stack.at[i].frames > 0;
	}
	if (!any)
		return;
	call_chain_complete(&s.placed, &s.flow, program, routines, placed);
	flow_analysis_run(&s.flow, program, routines);
	s.names = mem_alloc(program->function.n + 1, sizeof *s.names);
	for (size_t i = 0; i < s.placed.stack.n; i++)
		if (s.placed.stack.at[i].frames)
			find_name(&s, &s.placed.stack.at[i], &name[i]);
	for (size_t i = 0; i < program->function.n; i++)
		if (s.names[i].graph)
			names_release(&s.names[i]);
	free(s.names);
	flow_analysis_release(&s.flow);
	placed_release(&s.placed);
}

void memory_name_release(struct memory_name *name)
{
	char *const text[] = { name->name, name->function, name->container,
			       name->container_function, name->type, name->path, name->file };
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		free(text[i]);
}
