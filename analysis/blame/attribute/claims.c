/* SPDX-License-Identifier: BSD-3-Clause */
/* claims.c - finds the variables that may name allocated memory (claims.h). One thread calls it.
 * The address of the memory is followed from the allocating call along explicit edges. */
#include "blame/attribute/claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "blame/flow/types.h"

#define STEPS_MOST 7u
#define FAR (STEPS_MOST + 1)

struct search {
	const struct flow_program *program;
	const struct flow_graph *graph;
	uint32_t first, n;                /* the function's values are `n` numbers from `first`
	                                   * on */
	uint8_t *distance;                /* distance of each node; FAR: the node is not reached */
	VEC(uint32_t) at[STEPS_MOST + 1]; /* nodes by distance */
	struct claims *claims;
};

bool claims_is_name(const struct flow_program *p, uint32_t object)
{
	uint32_t type = object == FLOW_NONE ? FLOW_NONE : p->object.at[object].type;
	uint32_t element = type == FLOW_NONE ? FLOW_NONE : p->type.at[type].element;
	return object != FLOW_NONE && *p->object.at[object].name && element != FLOW_NONE &&
		p->type.at[type].kind != SIS_BLAME_INTEGER && !flow_is_reference(p, type) &&
		p->type.at[element].kind != SIS_BLAME_VOID;
}

/* The pointer to which a node assigns a value; FLOW_NONE: none. */
static uint32_t assigned(const struct search *s, uint32_t node)
{
	const struct flow_value *v = node < s->n ? &s->program->value.at[s->first + node] : NULL;
	return v && v->op == SIS_BLAME_DEFINE && claims_is_name(s->program, v->object) ?
		v->object : FLOW_NONE;
}

static void reach(struct search *s, uint32_t node, uint32_t distance)
{
	if (distance > STEPS_MOST || s->distance[node] <= distance)
		return;
	s->distance[node] = (uint8_t)distance;
	*vec_push(&s->at[distance]) = node;
}

static void walk(struct search *s)
{
	const struct flow_graph *g = s->graph;
	for (uint32_t d = 0; d <= STEPS_MOST; d++)
		for (size_t i = 0; i < s->at[d].n; i++) {
			uint32_t node = s->at[d].at[i];
			const struct flow_value *v =
				node < s->n ? &s->program->value.at[s->first + node] : NULL;
			/* a step computes another address; a copy is no step */
			bool is_step = v && (v->op == SIS_BLAME_INDEX ||
					     v->op == SIS_BLAME_COMPUTE ||
					     (v->op == SIS_BLAME_FIELD && v->number != 0));
			for (uint32_t e = g->first_edge[node]; e < g->first_edge[node + 1]; e++)
				if (s->distance[node] == d && !(g->edge.at[e] & 1))
					reach(s, g->edge.at[e] >> 1, d + is_step);
		}
}

/* Starts the search for a symbol. If the symbol is an object, the search starts where the function
 * takes the object's address. Otherwise it starts at the call that made the memory, and at the
 * nodes of the callee's outputs. */
static void start_search(struct search *s, const struct flow_symbol *symbol)
{
	memset(s->distance, FAR, s->graph->nodes + 1u);
	for (uint32_t d = 0; d <= STEPS_MOST; d++)
		s->at[d].n = 0;
	for (uint32_t i = 0; symbol->kind == FLOW_OBJECT && i < s->n; i++) {
		const struct flow_value *v = &s->program->value.at[s->first + i];
		if ((v->op == SIS_BLAME_ALLOCA || v->op == SIS_BLAME_ADDRESS) &&
		    v->object == symbol->a)
			reach(s, i, 0);
	}
	if (symbol->kind == FLOW_OBJECT)
		return;
	if (symbol->a < s->first || symbol->a >= s->first + s->n)
		return; /* the symbol does not tell which call in this function made the memory */
	reach(s, symbol->a - s->first, 0);
	for (size_t i = 0; i < s->graph->call.n; i++) {
		const struct flow_call *c = &s->graph->call.at[i];
		for (uint32_t k = 0; c->value == symbol->a && k < c->nodes; k++)
			reach(s, c->first_node + k, 0);
	}
}

static void claim(struct search *s, uint32_t symbol, uint32_t distance, uint32_t object,
		  uint32_t content)
{
	*vec_push(&s->claims->list) = (struct claim){ symbol, distance, object, content };
}

/* The distance of the nearest node that writes the memory of this content. */
static uint32_t distance_of(const struct search *s, const struct flow_content *content)
{
	const struct flow_graph *g = s->graph;
	const struct flow_cell cell = { content->symbol, content->offset, content->offset + 1 };
	uint32_t nearest = FAR;
	for (uint32_t d = 0; d <= STEPS_MOST && nearest == FAR; d++)
		for (size_t i = 0; i < s->at[d].n; i++) {
			uint32_t node = s->at[d].at[i];
			for (uint32_t w = g->first_write[node]; w < g->first_write[node + 1]; w++)
				if (flow_cells_overlap(&g->write.at[w], &cell))
					nearest = d;
		}
	return nearest;
}

static int order_claims(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	return ORDER(x->distance, y->distance) ?: ORDER(x->object, y->object) ?:
		ORDER(x->content, y->content) ?: ORDER(x->symbol, y->symbol);
}

void claims_find(struct claims *claims, const struct flow_program *program,
		 const struct flow_graph *graph)
{
	const struct flow_range values = program->function.at[graph->function].value;
	struct search s = { .program = program, .graph = graph, .first = values.first,
			    .n = values.n, .claims = claims };
	s.distance = mem_alloc(graph->nodes + 1u, 1);
	for (uint32_t i = 0; i < graph->symbol.n; i++) {
		if (!flow_is_nameless(program, &graph->symbol.at[i]))
			continue;
		start_search(&s, &graph->symbol.at[i]);
		walk(&s);
		for (uint32_t k = 0; k < s.n; k++)
			if (s.distance[k] <= STEPS_MOST && assigned(&s, k) != FLOW_NONE &&
			    flow_locations_hold(&graph->locations[k], i))
				claim(&s, i, s.distance[k], assigned(&s, k), FLOW_NONE);
		for (uint32_t k = 0; k < graph->content.n; k++) {
			const struct flow_content *content = &graph->content.at[k];
			uint32_t distance = flow_locations_hold(&content->locations, i) ?
				distance_of(&s, content) : FAR;
			if (distance != FAR)
				claim(&s, i, distance, FLOW_NONE, k);
		}
	}
	vec_sort(&claims->list, order_claims);
	free(s.distance);
	for (uint32_t d = 0; d <= STEPS_MOST; d++)
		vec_free(&s.at[d]);
}
