/* SPDX-License-Identifier: BSD-3-Clause */
/* edges.c - the graph of a function: nodes for values and blocks, and edges for operands and
 * control. One thread calls it. Calls are in call_edges.c, memory in memory_edges.c. */
#include "blame/flow/graph_internal.h"

#include <stdlib.h>

#include "base/sort.h"

static uint32_t operand(const struct flow_build *b, const struct flow_value *v, uint32_t number)
{
	return b->program->number.at[v->operand.first + number];
}

/* -- edges of values --------------------------------------------------------------------------- */

static void access_cells(struct flow_build *b, uint32_t value, uint32_t address, uint64_t size,
			 void (*access)(struct flow_build *, uint32_t, uint32_t, struct flow_cell))
{
	struct flow_locations locations = flow__locations_of(b, address);
	for (size_t i = 0; i < locations.n; i++)
		access(b, value - b->first, value, flow__cell_at(b, locations.at[i], size));
}

static void value_edges(struct flow_build *b, uint32_t value, const struct flow_value *v)
{
	uint64_t size = (uint64_t)v->number;
	bool is_call = v->op == SIS_BLAME_CALL || v->op == SIS_BLAME_FORK;
	for (uint32_t i = 0; !is_call && i < v->operand.n; i++)
		if (operand(b, v, i) != FLOW_NONE)
			flow__link(b, operand(b, v, i) - b->first, value - b->first, false);
	switch (v->op) {
	case SIS_BLAME_LOAD:
		access_cells(b, value, operand(b, v, 0), size, flow__reads);
		break;
	case SIS_BLAME_STORE:
	case SIS_BLAME_FILL:
		access_cells(b, value, operand(b, v, 0), size, flow__writes);
		break;
	case SIS_BLAME_MOVE:
		access_cells(b, value, operand(b, v, 0), size, flow__writes);
		access_cells(b, value, operand(b, v, 1), size, flow__reads);
		break;
	case SIS_BLAME_ASSEMBLY:
		flow__doubts(b, FLOW_DOUBT_ASSEMBLY, value - b->first, value);
		for (uint32_t i = 0; i < v->operand.n; i++) {
			access_cells(b, value, operand(b, v, i), 0, flow__reads);
			access_cells(b, value, operand(b, v, i), 0, flow__writes);
		}
		break;
	default:
		break;
	}
}

/* -- edges of control -------------------------------------------------------------------------- */

static const struct flow_block *block_of(const struct flow_build *b, uint32_t block)
{
	return &b->program->block.at[b->function->block.first + block];
}

static bool is_controlled(uint8_t op)
{
	return op == SIS_BLAME_STORE || op == SIS_BLAME_MOVE || op == SIS_BLAME_FILL ||
		op == SIS_BLAME_DEFINE || op == SIS_BLAME_CALL || op == SIS_BLAME_FORK ||
		op == SIS_BLAME_BRANCH || op == SIS_BLAME_RETURN || op == SIS_BLAME_ASSEMBLY;
}

static int order_pairs(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* The value of a MEET depends on the block from which control came. So implicit edges lead to the
 * MEET from the nodes that control each of these blocks, and from the branches of these blocks. */
static void meet_edges(struct flow_build *b)
{
	uint32_t blocks = b->function->block.n;
	uint32_t *branch = mem_alloc(blocks + 1u, sizeof *branch); /* for each block, the number of
	                                                            * its BRANCH, plus 1; 0: none */
	VEC(uint64_t) before = { 0 }; /* block << 32 | a predecessor */
	for (uint32_t i = 0; i < b->n; i++)
		if (b->program->value.at[b->first + i].op == SIS_BLAME_BRANCH)
			branch[b->program->value.at[b->first + i].block] = i + 1;
	for (uint32_t i = 0; i < blocks; i++) {
		const struct flow_range next = block_of(b, i)->successor;
		for (uint32_t k = 0; k < next.n; k++)
			*vec_push(&before) =
				(uint64_t)b->program->number.at[next.first + k] << 32 | i;
	}
	vec_sort(&before, order_pairs);
	for (uint32_t i = 0; i < b->n; i++) {
		const struct flow_value *v = &b->program->value.at[b->first + i];
		if (v->op != SIS_BLAME_MEET)
			continue;
		size_t at = search_first(k, 0, before.n, before.at[k] >> 32 < v->block);
		for (; at < before.n && before.at[at] >> 32 == v->block; at++) {
			uint32_t from = (uint32_t)before.at[at];
			flow__link(b, b->block_node[from], i, true);
			if (branch[from] && block_of(b, from)->successor.n > 1)
				flow__link(b, branch[from] - 1, i, true);
		}
	}
	vec_free(&before);
	free(branch);
}

/* -- all edges of a function ------------------------------------------------------------------- */

void flow__edges(struct flow_build *b)
{
	uint32_t call = 0;
	b->graph->nodes = b->n;
	b->block_node = mem_alloc(b->function->block.n + 1u, sizeof *b->block_node);
	for (uint32_t i = 0; i < b->function->block.n; i++) {
		const struct flow_range c = block_of(b, i)->controller;
		b->block_node[i] = flow__new_node(b);
		for (uint32_t k = 0; k < c.n; k++)
			if (b->program->number.at[c.first + k] != FLOW_NONE)
				flow__link(b, b->program->number.at[c.first + k] - b->first,
					   b->block_node[i], true);
	}
	meet_edges(b);
	for (uint32_t i = 0; i < b->n; i++) {
		const struct flow_value *v = &b->program->value.at[b->first + i];
		value_edges(b, b->first + i, v);
		if (is_controlled(v->op) && v->block < b->function->block.n)
			flow__link(b, b->block_node[v->block], i, true);
		for (; call < b->graph->call.n && b->graph->call.at[call].value == b->first + i;
		     call++)
			flow__call_edges(b, call);
	}
	flow__memory_edges(b);
	flow__list_nodes(b);
	flow__forget_bindings(b);
}
