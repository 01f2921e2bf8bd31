/* SPDX-License-Identifier: BSD-3-Clause */
/* graph_internal.h - functions that the makers of a struct flow_graph share: symbols.c (the symbols
 * of memory), pointers.c and calls.c (where pointers point), nodes.c, edges.c, call_edges.c and
 * memory_edges.c (nodes and edges), summary.c (what callers need). */
#ifndef SIS_ANALYSIS_FLOW_GRAPH_INTERNAL_H
#define SIS_ANALYSIS_FLOW_GRAPH_INTERNAL_H

#include "blame/flow/graph.h"

/* An access: a node writes or reads a cell. `value` gives the position of the access in the
 * function. */
struct flow_access { uint32_t node, value; struct flow_cell cell; };
struct flow_link { uint32_t from; flow_edge edge; };

/* The state while the graph of one function is made. */
struct flow_build {
	struct flow_analysis *analysis;
	const struct flow_program *program;
	const struct flow_function *function;
	struct flow_graph *graph;
	uint32_t first, n;            /* the function's values are `n` numbers from `first` on */
	bool changed;                 /* pointers.c: the current round of the fixed point found
	                               * something new */
	bool flooded;                 /* a location points to more places than can be kept apart */
	bool recursive;               /* the function calls itself, directly or through other
	                               * functions */
	struct map bound;             /* (number of the call, symbol of the callee) -> locations */
	VEC(struct flow_locations) binding;
	VEC(struct flow_access) read, write;
	VEC(struct flow_link) link;   /* the edges found so far */
	uint32_t *block_node;         /* for each block, the node that controls it */
};

/* -- symbols.c --------------------------------------------------------------------------------- */

uint32_t flow__symbol_of_object(struct flow_build *b, uint32_t object);
uint32_t flow__symbol_behind_argument(struct flow_build *b, uint32_t number);
uint32_t flow__symbol_behind(struct flow_build *b, uint32_t symbol, uint32_t offset);
uint32_t flow__symbol_of_heap(struct flow_build *b, const struct flow_symbol *heap);
/* flow__symbol_of_passed returns the symbol of the variable arguments of a call in this function.
 * flow__symbol_of_variable_arguments returns that of the function's own variable arguments. */
uint32_t flow__symbol_of_passed(struct flow_build *b, uint32_t call, uint32_t callee);
uint32_t flow__symbol_of_variable_arguments(struct flow_build *b);
/* The location `delta` bytes from `location`, as an offset in the first element of each array. */
flow_location flow__location_at(struct flow_build *b, flow_location location, int64_t delta);
/* The location of a member, whose offset may be 0. */
flow_location flow__location_of_field(struct flow_build *b, flow_location location, int64_t offset);
/* Translates `location`, whose own symbol begins at `base`, to a location in the symbol of
 * `base`. */
flow_location flow__location_from(struct flow_build *b, flow_location base, flow_location location);
/* The location of an element of an array with this stride. */
flow_location flow__location_of_element(struct flow_build *b, flow_location location,
					uint64_t stride);
/* The cell that an access of `size` bytes reads or writes; size 0: not known. */
struct flow_cell flow__cell_at(struct flow_build *b, flow_location location, uint64_t size);
/* The memory that a library's routine may access through a pointer to this location. */
struct flow_cell flow__cell_around(struct flow_build *b, flow_location location);
/* The memory that may be accessed through a pointer to this location if it points to elements of
 * `type`. */
struct flow_cell flow__cell_of_elements(struct flow_build *b, flow_location location,
					uint32_t type);

/* The locations to which a value points. FLOW_NONE points to no locations. */
struct flow_locations flow__locations_of(const struct flow_build *b, uint32_t value);
bool flow__locations_add(struct flow_locations *locations, flow_location location);
bool flow__locations_join(struct flow_locations *to, const struct flow_locations *from);

/* The locations to which the pointer in memory at (symbol, offset) points. */
struct flow_content *flow__content(struct flow_build *b, uint32_t symbol, uint32_t offset);
bool flow__too_large(const struct flow_build *b);
void flow__store(struct flow_build *b, flow_location location,
		 const struct flow_locations *locations);
void flow__load(struct flow_build *b, flow_location location, struct flow_locations *into);
/* The same as flow__load for memory that is known to hold a pointer or a handle, even if the memory
 * has the type of an integer. */
void flow__follow(struct flow_build *b, flow_location location, struct flow_locations *into);
/* Whether the values of a type are handles. */
bool flow__is_handle(const struct flow_build *b, uint32_t type);
/* Whether the type of the memory at a location is that of a handle. */
bool flow__handle_at(const struct flow_build *b, flow_location location);

/* -- pointers.c -------------------------------------------------------------------------------- */

/* Computes where pointers point. Returns false if there is too much memory. Then the graph must be
 * made again, coarser. */
bool flow__pointers(struct flow_build *b);

/* -- calls.c ----------------------------------------------------------------------------------- */

/* Makes the list of calls. */
void flow__calls(struct flow_build *b);
/* The variable arguments of a call have the numbers [*first, *last). */
void flow__variable_arguments(const struct flow_build *b, const struct flow_call *call,
			      uint32_t *first, uint32_t *last);
/* Adds the effects of a call on pointers: its result, and the pointers that the callee stores. */
void flow__call_pointers(struct flow_build *b, uint32_t call);
/* The value of an argument, counted from 0; FLOW_NONE: there is none. flow__arguments returns the
 * number of arguments. */
uint32_t flow__argument(const struct flow_build *b, uint32_t value, uint32_t number);
uint32_t flow__arguments(const struct flow_build *b, uint32_t value);
/* Adds the locations to which parameter `number` of the callee may point. */
void flow__argument_locations(struct flow_build *b, const struct flow_call *call, uint32_t number,
			      struct flow_locations *into);
/* The locations that a symbol of the callee stands for in this function. The list is valid until
 * flow__forget_bindings. */
struct flow_locations flow__bind(struct flow_build *b, uint32_t call, uint32_t symbol);
void flow__forget_bindings(struct flow_build *b);
/* The arguments that a place in a routine's row means, counted from 0: [*first, *last). */
void flow__routine_arguments(const struct flow_build *b, uint32_t value,
			     const struct routine_place *place, uint32_t *first, uint32_t *last);
/* Adds the locations to which the value of a place in a routine's row points. */
void flow__routine_locations(struct flow_build *b, uint32_t value,
			     const struct routine_place *place, struct flow_locations *into);
/* Adds the locations of the memory that a place in a routine's row names. */
void flow__routine_memory(struct flow_build *b, uint32_t value, const struct routine_place *place,
			  struct flow_locations *into);

/* -- targets.c, function_pointers.c ------------------------------------------------------------ */

/* Fills the lists of the functions that calls run (analysis->target). */
void flow__find_targets(struct flow_analysis *analysis);
/* Adds targets of calls through pointers for which no target is known yet. Returns whether it added
 * any. */
bool flow__function_pointers(struct flow_analysis *analysis);

/* -- nodes.c ----------------------------------------------------------------------------------- */

uint32_t flow__new_node(struct flow_build *b);
void flow__link(struct flow_build *b, uint32_t from, uint32_t to, bool implicit);
void flow__reads(struct flow_build *b, uint32_t node, uint32_t value, struct flow_cell cell);
void flow__writes(struct flow_build *b, uint32_t node, uint32_t value, struct flow_cell cell);
/* Notes that work at the node enters something whose effects are not known: `value`, a call or an
 * assembly, perhaps in a callee. */
void flow__doubts(struct flow_build *b, enum flow_doubt_kind kind, uint32_t node, uint32_t value);
/* Makes the lists of edges and writes. */
void flow__list_nodes(struct flow_build *b);

/* -- edges.c, call_edges.c, memory_edges.c, summary.c ------------------------------------------ */

/* flow__edges makes all edges of the graph. For the edges of a call it calls flow__call_edges, and
 * for those of memory flow__memory_edges. */
void flow__edges(struct flow_build *b);
void flow__call_edges(struct flow_build *b, uint32_t call);
void flow__memory_edges(struct flow_build *b);
void flow__summary(struct flow_build *b);
/* Makes the whole graph of a function, at least as coarse as `coarse`, and replaces the function's
 * graph in the analysis. */
void flow__build(struct flow_analysis *analysis, uint32_t function, uint8_t coarse);

#endif
