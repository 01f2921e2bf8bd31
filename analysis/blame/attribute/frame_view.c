/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_view.c - makes the views of functions (frame_view.h). One thread calls it. */
#include "blame/attribute/frame_view.h"

#include <stdlib.h>

enum stop { STOP_UNKNOWN, STOP_PASSES, STOP_KEEPS };

const struct flow_value *frame_value(const struct frames *f, const struct view *v, uint32_t node)
{
	return node < v->n ? &f->program->value.at[v->first + node] : NULL;
}

struct view *frame_view(struct frames *f, uint32_t function)
{
	struct view *v = &f->view[function];
	if (v->graph)
		return v;
	v->graph = &f->analysis->graph[function];
	v->first = f->program->function.at[function].value.first;
	v->n = f->program->function.at[function].value.n;
	names_init(&v->names, f->program, v->graph);
	v->keeps = mem_alloc(v->graph->nodes + 1u, 1);
	v->is_output = mem_alloc(v->graph->nodes + 1u, 1);
	for (size_t i = 0; i < v->graph->output_node.n; i++)
		v->is_output[v->graph->output_node.at[i]] = 1;
	v->doubt = mem_alloc(v->graph->nodes + 1u, sizeof *v->doubt);
	for (size_t i = 0; i < v->graph->doubt.n; i++)
		v->doubt[v->graph->doubt.at[i].node] = (uint32_t)i + 1;
	return v;
}

void frame_view_release(struct view *v)
{
	if (!v->graph)
		return;
	names_release(&v->names);
	flow_walk_release(&v->walk);
	free(v->keeps);
	free(v->is_output);
	free(v->doubt);
}

/* -- variables that a node writes -------------------------------------------------------------- */

static uint32_t defined(const struct frames *f, struct view *v, uint32_t node)
{
	const struct flow_value *value = frame_value(f, v, node);
	return value && value->op == SIS_BLAME_DEFINE ? names_of_object(&v->names, value->object) :
							FLOW_NONE;
}

void frame_hits(const struct frames *f, struct view *v, uint32_t node, bool implicit, hits *list)
{
	const struct flow_graph *g = v->graph;
	for (uint32_t i = g->first_write[node]; i < g->first_write[node + 1]; i++) {
		struct part part = names_of_cell(&v->names, &g->write.at[i]);
		if (part.variable != FLOW_NONE)
			*vec_push(list) = (struct hit){ part.variable, part.field, implicit };
	}
	uint32_t variable = defined(f, v, node);
	if (variable != FLOW_NONE)
		*vec_push(list) = (struct hit){ variable, 0, implicit };
}

/* -- where walks stop -------------------------------------------------------------------------- */

/* Whether the node writes a variable other than `except`. */
static bool writes_variable(const struct frames *f, struct view *v, uint32_t node, uint32_t except)
{
	const struct flow_graph *g = v->graph;
	for (uint32_t i = g->first_write[node]; i < g->first_write[node + 1]; i++) {
		uint32_t variable = v->names.symbol[g->write.at[i].symbol].variable;
		if (variable != FLOW_NONE && variable != except)
			return true;
	}
	uint32_t variable = defined(f, v, node);
	return variable != FLOW_NONE && variable != except;
}

/* Whether a scalar flows on into another variable. Such a scalar does not keep the work that
 * reaches it. */
static bool flows_on(const struct frames *f, struct view *v, uint32_t node)
{
	uint32_t variable = defined(f, v, node);
	flow_walk_begin(&v->walk, v->graph);
	flow_walk_start(&v->walk, node, false);
	flow_walk_run(&v->walk, NULL, NULL);
	for (size_t i = 0; i < v->walk.node.n; i++)
		if (writes_variable(f, v, v->walk.node.at[i], variable))
			return true;
	return false;
}

bool frame_keeps(const void *context, uint32_t node)
{
	const struct frame_stopper *s = context;
	uint8_t *state = &s->view->keeps[node];
	if (*state == STOP_UNKNOWN) {
		bool is_define = defined(s->frames, s->view, node) != FLOW_NONE;
		bool stays = is_define ? !flows_on(s->frames, s->view, node) :
			writes_variable(s->frames, s->view, node, FLOW_NONE);
		*state = stays ? STOP_KEEPS : STOP_PASSES;
	}
	return *state == STOP_KEEPS;
}

bool frame_leaves(const void *context, uint32_t node)
{
	const struct flow_graph *g = ((const struct frame_stopper *)context)->view->graph;
	for (uint32_t i = g->first_write[node]; i < g->first_write[node + 1]; i++)
		if (flow_output_of(g, &g->write.at[i]) != FLOW_NONE)
			return true;
	return false;
}
