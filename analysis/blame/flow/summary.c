/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c - makes the part of a graph that the function's callers need: its outputs, its inputs,
 * and which inputs flow to which outputs. One thread calls it. Inputs that reach the same outputs
 * share one list. */
#include "blame/flow/graph_internal.h"

#include <stdlib.h>

#include "base/sort.h"
#include "blame/flow/reach.h"
#include "fnv.h"

#define OUTPUTS_MANY 64u /* in a coarse graph with more outputs, all input cells share one list of
                          * outputs */

/* -- outputs: memory that callers can see ------------------------------------------------------ */

static void show(bool *seen, uint32_t *queue, size_t *n, const struct flow_locations *locations)
{
	for (size_t i = 0; i < locations->n; i++) {
		uint32_t symbol = flow_location_symbol(locations->at[i]);
		if (!seen[symbol]) {
			seen[symbol] = true;
			queue[(*n)++] = symbol;
		}
	}
}

/* The symbols that callers can reach: external symbols, and all symbols to which these or the
 * result point, directly or through other symbols. Local objects are excluded, because they do not
 * outlive the call of the function. The caller frees the array. */
static bool *visible_symbols(const struct flow_graph *g, const struct flow_program *program)
{
	size_t n = 0;
	bool *seen = mem_alloc(g->symbol.n + 1, sizeof *seen);
	uint32_t *queue = mem_alloc(g->symbol.n + 1, sizeof *queue);
	for (uint32_t i = 0; i < g->symbol.n; i++)
		if (g->symbol.at[i].external) {
			seen[i] = true;
			queue[n++] = i;
		}
	show(seen, queue, &n, &g->result);
	for (bool more = true; more;) {
		size_t before = n;
		for (size_t i = 0; i < g->content.n; i++)
			if (seen[g->content.at[i].symbol])
				show(seen, queue, &n, &g->content.at[i].locations);
		more = n > before;
	}
	for (uint32_t i = 0; i < g->symbol.n; i++) {
		const struct flow_symbol *s = &g->symbol.at[i];
		if (s->kind == FLOW_OBJECT && !s->external &&
		    program->object.at[s->a].kind != SIS_BLAME_GLOBAL)
			seen[i] = false;
	}
	free(queue);
	return seen;
}

static int order_cells(const void *a, const void *b)
{
	const struct flow_cell *x = a, *y = b;
	return ORDER(x->symbol, y->symbol) ?: ORDER(x->low, y->low) ?: ORDER(x->high, y->high);
}

uint32_t flow_output_of(const struct flow_graph *g, const struct flow_cell *cell)
{
	size_t at = search_first(i, FLOW_OUTPUTS, g->output.n,
				 order_cells(&g->output.at[i], cell) < 0);
	return at < g->output.n && order_cells(&g->output.at[at], cell) == 0 ? (uint32_t)at :
									      FLOW_NONE;
}

static void find_outputs(struct flow_build *b, const bool *visible)
{
	struct flow_graph *g = b->graph;
	VEC(struct flow_cell) cell = { 0 };
	for (size_t i = 0; i < g->write.n; i++)
		if (visible[g->write.at[i].symbol])
			*vec_push(&cell) = g->write.at[i];
	vec_sort(&cell, order_cells);
	for (int i = 0; i < FLOW_OUTPUTS; i++)
		*vec_push(&g->output) = (struct flow_cell){ FLOW_NONE, 0, 0 };
	for (size_t i = 0; i < cell.n; i++)
		if (i == 0 || order_cells(&cell.at[i - 1], &cell.at[i]) != 0)
			*vec_push(&g->output) = cell.at[i];
	vec_free(&cell);
}

/* -- inputs, and the outputs to which they flow ------------------------------------------------ */

struct flows {
	struct flow_build *b;
	struct flow_walk walk;
	uint32_t *output_of;       /* of each written cell: its output, or FLOW_NONE */
	uint8_t *is_output;        /* of each node: whether it ends in an output routine */
	uint8_t *is_return;
	uint8_t *doubt;            /* of each node: kind of its doubt + 1; 0: none */
	uint8_t *how;              /* of each output: enum flow_reached */
	struct map lists;          /* hash of a list of outputs -> an input that has this list */
};

static void reach_output(struct flows *f, uint32_t output, uint8_t how)
{
	if (f->how[output] == FLOW_NOT_REACHED || f->how[output] > how)
		f->how[output] = how;
}

static void collect(struct flows *f)
{
	const struct flow_graph *g = f->b->graph;
	for (size_t i = 0; i < f->walk.node.n; i++) {
		uint32_t node = f->walk.node.at[i];
		uint8_t how = f->walk.mark[node];
		for (uint32_t w = g->first_write[node]; w < g->first_write[node + 1]; w++)
			if (f->output_of[w] != FLOW_NONE)
				reach_output(f, f->output_of[w], how);
		if (f->is_return[node])
			reach_output(f, FLOW_RETURN, how);
		if (f->is_output[node])
			reach_output(f, FLOW_OUTPUT, how);
		if (f->doubt[node])
			reach_output(f, FLOW_FIRST_DOUBT + f->doubt[node] - 1, how);
	}
}

static bool same_list(const struct flow_graph *g, struct flow_range a, struct flow_range b)
{
	for (uint32_t i = 0; a.n == b.n && i < a.n; i++)
		if (g->reached.at[a.first + i] != g->reached.at[b.first + i])
			return false;
	return a.n == b.n;
}

static void add_input(struct flows *f, struct flow_input input)
{
	struct flow_graph *g = f->b->graph;
	input.reached.first = (uint32_t)g->reached.n;
	for (uint32_t i = 0; i < g->output.n; i++) {
		if (f->how[i] != FLOW_NOT_REACHED)
			*vec_push(&g->reached) = i << 1 | (f->how[i] == FLOW_IMPLICIT);
		f->how[i] = FLOW_NOT_REACHED;
	}
	input.reached.n = (uint32_t)g->reached.n - input.reached.first;
	if (!input.reached.n)
		return;
	uint64_t hash = sis_fnv(SIS_FNV_START, g->reached.at + input.reached.first,
				input.reached.n * sizeof *g->reached.at);
	bool fresh;
	uint32_t same = map_put(&f->lists, hash, input.reached.n, (uint32_t)g->input.n, &fresh);
	if (!fresh && same_list(g, g->input.at[same].reached, input.reached)) {
		g->reached.n = input.reached.first;
		input.reached = g->input.at[same].reached;
	}
	*vec_push(&g->input) = input;
}

static void argument_inputs(struct flows *f)
{
	struct flow_build *b = f->b;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct flow_value *v = &b->program->value.at[b->first + i];
		if (v->op != SIS_BLAME_PARAMETER)
			continue;
		flow_walk_begin(&f->walk, b->graph);
		flow_walk_start(&f->walk, i, false);
		flow_walk_run(&f->walk, NULL, NULL);
		collect(f);
		add_input(f, (struct flow_input){ .argument = v->object });
	}
}

/* Adds all cells that are read as inputs. They share one list of outputs, which has each output
 * that any of these cells reaches. */
static void cell_inputs_together(struct flows *f, const bool *visible)
{
	struct flow_build *b = f->b;
	size_t first = b->graph->input.n;
	flow_walk_begin(&f->walk, b->graph);
	for (size_t i = 0; i < b->read.n; i++)
		if (visible[b->read.at[i].cell.symbol])
			flow_walk_start(&f->walk, b->read.at[i].node, false);
	flow_walk_run(&f->walk, NULL, NULL);
	collect(f);
	add_input(f, (struct flow_input){ .argument = FLOW_NONE,
					  .cell = { FLOW_NONE, 0, 0 } });
	if (b->graph->input.n == first)
		return;
	struct flow_input input = b->graph->input.at[--b->graph->input.n];
	for (size_t i = 0; i < b->read.n; i++) {
		if (!visible[b->read.at[i].cell.symbol] ||
		    (i && order_cells(&b->read.at[i].cell, &b->read.at[i - 1].cell) == 0))
			continue;
		input.cell = b->read.at[i].cell;
		*vec_push(&b->graph->input) = input;
	}
}

/* Adds an input for each cell that is read. The reads are sorted by cell (memory_edges.c). */
static void cell_inputs(struct flows *f, const bool *visible)
{
	struct flow_build *b = f->b;
	for (size_t i = 0, end; i < b->read.n; i = end) {
		const struct flow_cell cell = b->read.at[i].cell;
		end = search_first(k, i, b->read.n, order_cells(&b->read.at[k].cell, &cell) <= 0);
		if (!visible[cell.symbol])
			continue;
		flow_walk_begin(&f->walk, b->graph);
		for (size_t k = i; k < end; k++)
			flow_walk_start(&f->walk, b->read.at[k].node, false);
		flow_walk_run(&f->walk, NULL, NULL);
		collect(f);
		add_input(f, (struct flow_input){ .argument = FLOW_NONE, .cell = cell });
	}
}

void flow__summary(struct flow_build *b)
{
	struct flow_graph *g = b->graph;
	struct flows f = { .b = b };
	bool *visible = visible_symbols(g, b->program);
	find_outputs(b, visible);
	f.output_of = mem_alloc(g->write.n + 1, sizeof *f.output_of);
	f.is_output = mem_alloc(g->nodes + 1u, 1);
	f.is_return = mem_alloc(g->nodes + 1u, 1);
	f.how = mem_alloc(g->output.n, 1);
	for (size_t i = 0; i < g->write.n; i++)
		f.output_of[i] = flow_output_of(g, &g->write.at[i]);
	for (size_t i = 0; i < g->output_node.n; i++)
		f.is_output[g->output_node.at[i]] = 1;
	for (uint32_t i = 0; i < b->n; i++)
		f.is_return[i] = b->program->value.at[b->first + i].op == SIS_BLAME_RETURN;
	f.doubt = mem_alloc(g->nodes + 1u, 1);
	for (size_t i = 0; i < g->doubt.n; i++)
		f.doubt[g->doubt.at[i].node] = (uint8_t)(g->doubt.at[i].kind + 1);
	argument_inputs(&f);
	if (g->coarse && g->output.n > OUTPUTS_MANY)
		cell_inputs_together(&f, visible);
	else
		cell_inputs(&f, visible);
	flow_walk_release(&f.walk);
	map_free(&f.lists);
	free(f.output_of);
	free(f.is_output);
	free(f.is_return);
	free(f.doubt);
	free(f.how);
	free(visible);
}
