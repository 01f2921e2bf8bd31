/* SPDX-License-Identifier: BSD-3-Clause */
/* graph_internal.h - between the files that make a struct flow_graph: symbols.c (memory as a
 * function sees it), pointers.c and calls.c (where pointers point), nodes.c and edges.c with its
 * neighbours (nodes and edges), summary.c (what callers need). */
#ifndef SIS_ANALYSIS_FLOW_GRAPH_INTERNAL_H
#define SIS_ANALYSIS_FLOW_GRAPH_INTERNAL_H

#include "flow/graph.h"

/* A node writes or reads a cell, at the position of a value. */
struct flow_access { uint32_t node, value; struct flow_cell cell; };
struct flow_link { uint32_t from; flow_edge edge; };

/* What is known while the graph of one function is made. */
struct flow_build {
	struct flow_analysis *analysis;
	const struct flow_program *program;
	const struct flow_function *function;
	struct flow_graph *graph;
	uint32_t first, n;            /* values */
	bool changed;                 /* in the fixed point of pointers.c */
	bool flooded;                 /* a place holds too many pointers to keep apart */
	bool recursive;               /* the function calls itself, perhaps through others */
	struct map bound;             /* (number of the call, symbol of the callee) -> places */
	VEC(struct flow_places) binding;
	VEC(struct flow_access) read, write;
	VEC(struct flow_link) link;   /* edges */
	uint32_t *block_node;         /* node of each block: what controls it */
};

/* -- symbols.c --------------------------------------------------------------------------------- */

uint32_t flow__symbol_of_object(struct flow_build *b, uint32_t object);
uint32_t flow__symbol_behind_argument(struct flow_build *b, uint32_t number);
uint32_t flow__symbol_behind(struct flow_build *b, uint32_t symbol, uint32_t offset);
uint32_t flow__symbol_of_heap(struct flow_build *b, const struct flow_symbol *heap);
/* The variable arguments: of a call of this function, and of the function. */
uint32_t flow__symbol_of_passed(struct flow_build *b, uint32_t call, uint32_t callee);
uint32_t flow__symbol_of_variable_arguments(struct flow_build *b);
/* A place `delta` bytes from another one, in the first element of each array. */
flow_place flow__place_at(struct flow_build *b, flow_place place, int64_t delta);
/* The place of a member, whose offset may be 0. */
flow_place flow__place_of_field(struct flow_build *b, flow_place place, int64_t offset);
/* `place` of another symbol, counted from `base`, which is where that symbol begins. */
flow_place flow__place_from(struct flow_build *b, flow_place base, flow_place place);
/* The same for an element of an array with a stride. */
flow_place flow__place_of_element(struct flow_build *b, flow_place place, uint64_t stride);
/* The cell of an access; size 0: not known. */
struct flow_cell flow__cell_at(struct flow_build *b, flow_place place, uint64_t size);
/* All that a pointer to this place may mean to a library's routine. */
struct flow_cell flow__cell_around(struct flow_build *b, flow_place place);
/* All that it means as a pointer to elements of this type. */
struct flow_cell flow__cell_of_elements(struct flow_build *b, flow_place place, uint32_t type);

/* The places of a value; none for FLOW_NONE. */
struct flow_places flow__places_of(const struct flow_build *b, uint32_t value);
bool flow__places_add(struct flow_places *places, flow_place place);
bool flow__places_join(struct flow_places *to, const struct flow_places *from);

/* Contents of memory. */
struct flow_content *flow__content(struct flow_build *b, uint32_t symbol, uint32_t offset);
bool flow__too_large(const struct flow_build *b);
void flow__store(struct flow_build *b, flow_place place, const struct flow_places *places);
void flow__load(struct flow_build *b, flow_place place, struct flow_places *into);
/* The same for memory that is known to hold a pointer or a handle, though its type may be that of
 * an integer. */
void flow__follow(struct flow_build *b, flow_place place, struct flow_places *into);
/* Whether the values of a type are handles. */
bool flow__is_handle(const struct flow_build *b, uint32_t type);
/* Whether the type of the memory at a place is that of a handle. */
bool flow__handle_at(const struct flow_build *b, flow_place place);

/* -- pointers.c -------------------------------------------------------------------------------- */

/* False: there is too much memory, and the graph must be made again, coarser. */
bool flow__pointers(struct flow_build *b);

/* -- calls.c ----------------------------------------------------------------------------------- */

/* Makes the list of calls. */
void flow__calls(struct flow_build *b);
/* Numbers of the variable arguments of a call: [*first, *last). */
void flow__variable_arguments(const struct flow_build *b, const struct flow_call *call,
			      uint32_t *first, uint32_t *last);
/* What calls do to pointers: their results, and what callees store. */
void flow__call_pointers(struct flow_build *b, uint32_t call);
/* An argument of a call, from 0: a value, or FLOW_NONE. */
uint32_t flow__argument(const struct flow_build *b, uint32_t value, uint32_t number);
uint32_t flow__arguments(const struct flow_build *b, uint32_t value);
/* The values that a parameter of the callee gets: adds places that it may hold. */
void flow__argument_places(struct flow_build *b, const struct flow_call *call, uint32_t number,
			   struct flow_places *into);
/* What a symbol of the callee is here. The list is valid until flow__forget_bindings. */
struct flow_places flow__bind(struct flow_build *b, uint32_t call, uint32_t symbol);
void flow__forget_bindings(struct flow_build *b);
/* The arguments that a place of a routine's row means, as numbers from 0: [*first, *last). */
void flow__routine_arguments(const struct flow_build *b, uint32_t value,
			     const struct routine_place *place, uint32_t *first, uint32_t *last);
/* The places that a place of a routine's row names: those to which its value points. */
void flow__routine_places(struct flow_build *b, uint32_t value, const struct routine_place *place,
			  struct flow_places *into);
/* Where a place of a routine's row is, which is one in memory. */
void flow__routine_memory(struct flow_build *b, uint32_t value, const struct routine_place *place,
			  struct flow_places *into);

/* -- targets.c, function_pointers.c ------------------------------------------------------------ */

/* Which functions the calls run: the lists of targets. */
void flow__find_targets(struct flow_analysis *analysis);
/* Adds calls through pointers that nothing else shows. False: there are none. */
bool flow__function_pointers(struct flow_analysis *analysis);

/* -- nodes.c ----------------------------------------------------------------------------------- */

uint32_t flow__new_node(struct flow_build *b);
void flow__link(struct flow_build *b, uint32_t from, uint32_t to, bool implicit);
void flow__reads(struct flow_build *b, uint32_t node, uint32_t value, struct flow_cell cell);
void flow__writes(struct flow_build *b, uint32_t node, uint32_t value, struct flow_cell cell);
/* Notes that work at the node enters something whose effects are not known. `value` says what: a
 * call or an assembly, perhaps in a callee. */
void flow__doubts(struct flow_build *b, enum flow_doubt_kind kind, uint32_t node, uint32_t value);
/* Makes the lists of edges and writes. */
void flow__list_nodes(struct flow_build *b);

/* -- edges.c, call_edges.c, memory_edges.c, summary.c ------------------------------------------ */

/* Edges of everything but calls and memory; then those of calls; then those of memory. */
void flow__edges(struct flow_build *b);
void flow__call_edges(struct flow_build *b, uint32_t call);
void flow__memory_edges(struct flow_build *b);
void flow__summary(struct flow_build *b);
/* Makes the whole graph of a function, at least as coarse as `coarse`. It replaces the graph that
 * the analysis has. */
void flow__build(struct flow_analysis *analysis, uint32_t function, uint8_t coarse);

#endif
