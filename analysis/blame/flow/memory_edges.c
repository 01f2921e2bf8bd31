/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_edges.c - edges from the nodes that write a cell to the nodes that read it. One thread
 * calls it. The order of writes is ignored, with one exception: within the function, a write
 * reaches a read only if control can go from the write to the read. A call of setjmp may return
 * again, so control can go back to setjmp from every later call that may jump. If there are very
 * many pairs of writes and reads, they are linked through a node for each cell that is read. Then
 * the order is ignored completely. */
#include "blame/flow/graph_internal.h"

#include <stdlib.h>

#include "base/sort.h"

#define PAIRS_MOST ((size_t)1 << 12)
#define BLOCKS_MOST 8192u

/* The blocks that control can reach from each block by one edge or more: a row of bits for each
 * block. */
struct order { uint64_t *bits; size_t words; };

static void follow_block(const struct flow_build *b, uint32_t from, uint64_t *row, uint32_t *stack)
{
	size_t n = 0;
	stack[n++] = from;
	while (n) {
		const struct flow_range next =
			b->program->block.at[b->function->block.first + stack[--n]].successor;
		for (uint32_t i = 0; i < next.n; i++) {
			uint32_t to = b->program->number.at[next.first + i];
			if (row[to / 64] >> to % 64 & 1)
				continue;
			row[to / 64] |= (uint64_t)1 << to % 64;
			stack[n++] = to;
		}
	}
}

static bool goes_to(const struct order *order, uint32_t from, uint32_t to)
{
	return order->bits[from * order->words + to / 64] >> to % 64 & 1;
}

/* Whether a call that may jump is in `block` or after it, and after the setjmp in block `twice`. */
static bool jumps_back(const struct flow_build *b, const struct order *order, uint32_t block,
		       uint32_t twice)
{
	for (size_t i = 0; i < b->graph->call.n; i++) {
		const struct flow_call *call = &b->graph->call.at[i];
		uint32_t at = b->program->value.at[call->value].block;
		bool may_jump = call->callee != FLOW_NONE || !call->routine ||
			call->routine->flags & ROUTINE_JUMP;
		if (may_jump && (at == twice || goes_to(order, twice, at)) &&
		    (at == block || goes_to(order, block, at)))
			return true;
	}
	return false;
}

/* From each block with a later jump, control can go to the block of setjmp and to all blocks after
 * it. */
static void return_again(const struct flow_build *b, struct order *order, uint32_t twice)
{
	const uint64_t *after = order->bits + twice * order->words;
	for (uint32_t i = 0; i < b->function->block.n; i++) {
		uint64_t *row = order->bits + i * order->words;
		if (!jumps_back(b, order, i, twice))
			continue;
		for (size_t word = 0; word < order->words; word++)
			row[word] |= after[word];
		row[twice / 64] |= (uint64_t)1 << twice % 64;
	}
}

static struct order order_of_blocks(const struct flow_build *b)
{
	uint32_t blocks = b->function->block.n;
	struct order order = { .words = (blocks + 63u) / 64 };
	if (blocks > BLOCKS_MOST)
		return order;
	order.bits = mem_alloc(blocks * order.words + 1, sizeof *order.bits);
	uint32_t *stack = mem_alloc(blocks + 2u, sizeof *stack);
	for (uint32_t i = 0; i < blocks; i++)
		follow_block(b, i, order.bits + i * order.words, stack);
	free(stack);
	for (size_t i = 0; i < b->graph->call.n; i++) {
		const struct flow_call *call = &b->graph->call.at[i];
		if (call->routine && call->routine->flags & ROUTINE_TWICE)
			return_again(b, &order, b->program->value.at[call->value].block);
	}
	return order;
}

static bool comes_before(const struct flow_build *b, const struct order *order, uint32_t first,
			 uint32_t second)
{
	uint32_t x = b->program->value.at[first].block, y = b->program->value.at[second].block;
	return !order->bits || (x == y && first < second) || goes_to(order, x, y);
}

static int order_accesses(const void *a, const void *b)
{
	const struct flow_access *x = a, *y = b;
	return ORDER(x->cell.symbol, y->cell.symbol) ?: ORDER(x->cell.low, y->cell.low) ?:
		ORDER(x->cell.high, y->cell.high) ?: ORDER(x->node, y->node) ?:
		ORDER(x->value, y->value);
}

static void link_pairs(struct flow_build *b, const struct order *order,
		       const struct flow_access *write, size_t writes,
		       const struct flow_access *read, size_t reads)
{
	for (size_t i = 0; i < writes; i++)
		for (size_t k = 0; k < reads; k++)
			if (flow_cells_overlap(&write[i].cell, &read[k].cell) &&
			    comes_before(b, order, write[i].value, read[k].value))
				flow__link(b, write[i].node, read[k].node, false);
}

static void link_by_cells(struct flow_build *b, const struct flow_access *write, size_t writes,
			  const struct flow_access *read, size_t reads)
{
	uint32_t node = 0;
	for (size_t i = 0; i < reads; i++) {
		const struct flow_cell *cell = &read[i].cell, *last = i ? &read[i - 1].cell : NULL;
		if (!last || last->symbol != cell->symbol || last->low != cell->low ||
		    last->high != cell->high) {
			node = flow__new_node(b);
			for (size_t k = 0; k < writes; k++)
				if (flow_cells_overlap(&write[k].cell, cell))
					flow__link(b, write[k].node, node, false);
		}
		flow__link(b, node, read[i].node, false);
	}
}

/* Sorts accesses and removes equal ones: a call may read one cell through several inputs of the
 * callee. */
static size_t sort_accesses(struct flow_access *at, size_t n)
{
	size_t kept = 0;
	if (n)
		qsort(at, n, sizeof *at, order_accesses);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || order_accesses(&at[kept - 1], &at[i]) != 0)
			at[kept++] = at[i];
	return kept;
}

void flow__memory_edges(struct flow_build *b)
{
	struct order order = order_of_blocks(b);
	b->read.n = sort_accesses(b->read.at, b->read.n);
	b->write.n = sort_accesses(b->write.at, b->write.n);
	for (size_t w = 0, r = 0; w < b->write.n;) {
		uint32_t symbol = b->write.at[w].cell.symbol;
		size_t w_end = search_first(i, w, b->write.n,
					    b->write.at[i].cell.symbol <= symbol);
		r = search_first(i, r, b->read.n, b->read.at[i].cell.symbol < symbol);
		size_t r_end = search_first(i, r, b->read.n,
					    b->read.at[i].cell.symbol <= symbol);
		if ((w_end - w) * (r_end - r) <= PAIRS_MOST)
			link_pairs(b, &order, b->write.at + w, w_end - w, b->read.at + r,
				   r_end - r);
		else
			link_by_cells(b, b->write.at + w, w_end - w, b->read.at + r, r_end - r);
		w = w_end;
		r = r_end;
	}
	free(order.bits);
}
