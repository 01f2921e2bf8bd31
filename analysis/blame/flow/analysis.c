/* SPDX-License-Identifier: BSD-3-Clause */
/* analysis.c - makes the graphs of all functions, callees before their callers. One thread calls
 * it. The graphs of functions that call each other are made repeatedly, until their summaries stay
 * the same or a limit of rounds is reached. A graph with too much memory is made again, coarser. */
#include <stdlib.h>

#include "blame/flow/graph_internal.h"

#define ROUNDS_MOST 4
#define FUNCTIONS_MANY 16u       /* more functions that call each other get two rounds only */
#define OUTPUTS_MANY 64u         /* if a callee has more outputs, its caller is at least as
                                  * coarse */
#define NAMES_MOST 8             /* most typedefs in a chain of typedefs */
#define POINTER_BYTES 8
#define WORK_MOST ((uint64_t)1 << 26) /* most edges that the walks of a summary may visit, by an
                                       * estimate */

/* -- the graph of one function ----------------------------------------------------------------- */

static void release_graph(struct flow_graph *g, uint32_t values)
{
	for (uint32_t i = 0; g->locations && i < values; i++)
		free(g->locations[i].at);
	for (size_t i = 0; i < g->content.n; i++)
		free(g->content.at[i].locations.at);
	free(g->locations);
	free(g->result.at);
	free(g->first_edge);
	free(g->first_write);
	vec_free(&g->symbol);
	map_free(&g->symbols);
	vec_free(&g->definition);
	map_free(&g->definitions);
	vec_free(&g->content);
	map_free(&g->contents);
	vec_free(&g->edge);
	vec_free(&g->write);
	vec_free(&g->output_node);
	vec_free(&g->doubt);
	vec_free(&g->call);
	vec_free(&g->output);
	vec_free(&g->input);
	vec_free(&g->reached);
	*g = (struct flow_graph){ 0 };
}

static bool calls_itself(const struct flow_analysis *a, const struct flow_function *function,
			 uint32_t number)
{
	for (uint32_t v = function->value.first; v < function->value.first + function->value.n; v++)
		for (uint32_t t = a->first_target[v]; t < a->first_target[v + 1]; t++)
			if (a->component[a->target.at[t]] == a->component[number])
				return true;
	return false;
}

void flow__build(struct flow_analysis *a, uint32_t number, uint8_t coarse)
{
	const struct flow_function *function = &a->program->function.at[number];
	struct flow_graph graph = { .function = number, .coarse = coarse };
	struct flow_build b = { .analysis = a, .program = a->program, .function = function,
				.graph = &graph, .first = function->value.first,
				.n = function->value.n,
				.recursive = calls_itself(a, function, number) };
	bool again = !flow__pointers(&b);
	if (!again) {
		flow__edges(&b);
		again = graph.coarse < FLOW_ONE && (uint64_t)b.read.n * graph.edge.n > WORK_MOST;
	}
	if (!again)
		flow__summary(&b);
	vec_free(&b.read);
	vec_free(&b.write);
	vec_free(&b.link);
	free(b.block_node);
	if (again) {
		release_graph(&graph, b.n);
		flow__build(a, number, coarse + 1);
		return;
	}
	release_graph(&a->graph[number], b.n);
	graph.built = true;
	a->graph[number] = graph;
}

/* -- components of the call graph: Tarjan's algorithm ------------------------------------------ */

struct visit { uint32_t function, target; };

struct tarjan {
	struct flow_analysis *a;
	uint32_t *index, *low, *stack; /* an index of 0: not visited */
	size_t depth;
	uint32_t next, components;
	VEC(uint32_t) order;           /* functions, callees first; those of a component are
	                                * neighbours */
	VEC(struct visit) frame;
};

static void enter(struct tarjan *t, uint32_t function)
{
	t->index[function] = t->low[function] = ++t->next;
	t->stack[t->depth++] = function;
	uint32_t first = t->a->program->function.at[function].value.first;
	*vec_push(&t->frame) = (struct visit){ function, t->a->first_target[first] };
}

/* One step of the innermost frame: to its next callee, or back to its caller. Targets are in the
 * order of the values, so the targets of a function are one range. */
static void advance(struct tarjan *t)
{
	struct visit *frame = &t->frame.at[t->frame.n - 1];
	uint32_t function = frame->function, member;
	const struct flow_range values = t->a->program->function.at[function].value;
	uint32_t end = t->a->first_target[values.first + values.n];
	while (frame->target < end) {
		uint32_t callee = t->a->target.at[frame->target++];
		if (!t->index[callee]) {
			enter(t, callee);
			return;
		}
		if (t->a->component[callee] == FLOW_NONE && t->low[function] > t->index[callee])
			t->low[function] = t->index[callee];
	}
	t->frame.n--;
	if (t->frame.n) {
		uint32_t caller = t->frame.at[t->frame.n - 1].function;
		if (t->low[caller] > t->low[function])
			t->low[caller] = t->low[function];
	}
	if (t->low[function] != t->index[function])
		return;
	do { /* the function is the first of its component, so the component is complete */
		member = t->stack[--t->depth];
		t->a->component[member] = t->components;
		*vec_push(&t->order) = member;
	} while (member != function);
	t->components++;
}

static void find_components(struct tarjan *t)
{
	size_t n = t->a->program->function.n;
	t->index = mem_alloc(n + 1, sizeof *t->index);
	t->low = mem_alloc(n + 1, sizeof *t->low);
	t->stack = mem_alloc(n + 1, sizeof *t->stack);
	for (uint32_t i = 0; i < n; i++)
		t->a->component[i] = FLOW_NONE;
	for (uint32_t i = 0; i < n; i++) {
		if (t->index[i])
			continue;
		enter(t, i);
		while (t->frame.n)
			advance(t);
	}
	free(t->index);
	free(t->low);
	free(t->stack);
	vec_free(&t->frame);
}

/* -- the graphs of all functions --------------------------------------------------------------- */

/* A number that tells whether a summary has changed. It is computed from the lengths of the
 * summary's lists. */
static uint64_t size_of_summary(const struct flow_graph *g)
{
	uint64_t reached = 0, locations = g->result.n;
	for (size_t i = 0; i < g->input.n; i++)
		reached += g->input.at[i].reached.n;
	for (size_t i = 0; i < g->content.n; i++)
		locations += g->content.at[i].locations.n;
	return reached + g->output.n * 1000003 + locations * 7919;
}

/* How coarse the graph is in the first try: at least as coarse as the large graphs of its
 * callees. */
static uint8_t first_try(const struct flow_analysis *a, uint32_t number)
{
	const struct flow_range values = a->program->function.at[number].value;
	uint8_t coarse = a->graph[number].coarse;
	for (uint32_t t = a->first_target[values.first];
	     t < a->first_target[values.first + values.n]; t++) {
		const struct flow_graph *g = &a->graph[a->target.at[t]];
		if (g->coarse > coarse && g->output.n > OUTPUTS_MANY)
			coarse = g->coarse;
	}
	return coarse;
}

static void build_component(struct flow_analysis *a, const uint32_t *function, size_t n)
{
	bool circle = n > 1 ||
		calls_itself(a, &a->program->function.at[function[0]], function[0]);
	bool changed = true;
	int rounds = !circle ? 1 : n > FUNCTIONS_MANY ? 2 : ROUNDS_MOST;
	for (int round = 0; changed && round < rounds; round++) {
		changed = false;
		for (size_t i = 0; i < n; i++) {
			struct flow_graph *g = &a->graph[function[i]];
			uint64_t before = size_of_summary(g);
			flow__build(a, function[i], first_try(a, function[i]));
			changed |= size_of_summary(g) != before;
		}
	}
	for (size_t i = 0; i < n; i++)
		a->coarse += a->graph[function[i]].coarse != FLOW_FINE;
}

/* Whether a type is a handle. A typedef of a handle is one, too. */
static bool is_handle(const struct flow_analysis *a, uint32_t number)
{
	for (int steps = 0; number != FLOW_NONE && steps < NAMES_MOST; steps++) {
		const struct flow_type *type = &a->program->type.at[number];
		if (type->kind != SIS_BLAME_INTEGER && type->kind != SIS_BLAME_POINTER)
			return false;
		const struct routine *row = routines_find(a->routines, type->name);
		if (row && row->flags & ROUTINE_HANDLE)
			return true;
		number = type->kind == SIS_BLAME_INTEGER ? type->element : FLOW_NONE;
	}
	return false;
}

void flow_analysis_run(struct flow_analysis *a, const struct flow_program *program,
		       const struct routines *routines)
{
	struct tarjan t = { .a = a };
	a->program = program;
	a->routines = routines;
	a->graph = mem_alloc(program->function.n + 1, sizeof *a->graph);
	a->component = mem_alloc(program->function.n + 1, sizeof *a->component);
	a->handle = mem_alloc(program->type.n + 1, sizeof *a->handle);
	for (uint32_t i = 0; i < program->type.n; i++) {
		a->handle[i] = is_handle(a, i);
		a->small_handles |= a->handle[i] && program->type.at[i].size < POINTER_BYTES;
	}
	flow__find_targets(a);
	find_components(&t);
	for (size_t i = 0, end; i < t.order.n; i = end) {
		for (end = i + 1; end < t.order.n && a->component[t.order.at[end]] ==
		     a->component[t.order.at[i]];)
			end++;
		build_component(a, t.order.at + i, end - i);
	}
	vec_free(&t.order);
}

void flow_analysis_release(struct flow_analysis *a)
{
	for (size_t i = 0; a->graph && i < a->program->function.n; i++)
		release_graph(&a->graph[i], a->program->function.at[i].value.n);
	free(a->graph);
	free(a->component);
	free(a->handle);
	free(a->first_target);
	vec_free(&a->target);
	vec_free(&a->fact);
	*a = (struct flow_analysis){ 0 };
}
