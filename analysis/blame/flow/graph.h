/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.h - how work flows within each function of a program, and through the function from and to
 * its callers.
 *
 * The memory that a function accesses is divided into *symbols*. They are named from the function's
 * point of view, so that one graph serves all its callers:
 *
 *      object      a global, a static or a local variable
 *      behind      what the pointer at (symbol, offset) pointed to when the function began:
 *                  behind(parameter 0), behind(behind(parameter 0) + 16) ...
 *      heap        memory that a call allocated: (call, the callee's symbol for this memory)
 *      passed      the variable arguments of a call. In the callee, they are the memory behind a
 *                  parameter after the last one
 *
 * A *cell* is a range of bytes of a symbol. The graph has nodes for all values, and for what each
 * call reads and writes. Edges are explicit (operands; a store and a load of the same cell) or
 * implicit (a branch and what it controls). All elements of an array are treated as one.
 *
 * The *summary* of a function says which of its inputs (parameters, cells that it reads) flow to
 * which of its outputs (result, output routines, cells that it writes). A caller translates the
 * symbols of the callee to its own by the arguments of the call. So two calls of one function are
 * told apart.
 *
 * LIMIT: the variable arguments of a call are one piece of memory: a flow from one of them is a
 * flow from all.
 *
 * LIMIT: two parameters that point to the same memory are two symbols in the callee. If the callee
 * writes through one and reads through the other, no flow is found. */
#ifndef SIS_ANALYSIS_FLOW_GRAPH_H
#define SIS_ANALYSIS_FLOW_GRAPH_H

#include "blame/flow/program.h"
#include "blame/flow/routines.h"

enum flow_symbol_kind { FLOW_OBJECT, FLOW_ARGUMENT, FLOW_BEHIND, FLOW_HEAP };

struct flow_symbol {
	uint8_t kind, depth;
	bool external;          /* the memory exists when the function is called, or the caller may
	                         * see it later */
	bool blurred;           /* all its offsets are treated as one */
	bool passed;            /* HEAP: the variable arguments of a call, which have no name */
	bool handle;            /* BEHIND: the memory that a handle stands for; the handle may be an
	                         * integer */
	uint32_t a;             /* OBJECT: object; ARGUMENT: its number; BEHIND: symbol;
	                         * HEAP: CALL or ALLOCA value */
	uint32_t offset;        /* BEHIND: offset of the pointer in symbol `a` */
	uint32_t callee, inner; /* HEAP: the callee that made the memory, and the memory's symbol
	                         * there; FLOW_NONE: the call itself made it */
	uint32_t root;          /* HEAP: the value that made the memory, in this function or in a
	                         * callee */
	uint32_t type;          /* type of an element; FLOW_NONE: not known */
};

#define FLOW_END UINT32_MAX /* as upper bound of a cell: the cell ends with the symbol */
struct flow_cell { uint32_t symbol, low, high; };

/* A place to which a pointer may point: symbol << 32 | FLOW_FIRST_FIELD | offset. With
 * FLOW_FIRST_FIELD, the place is the first member of the structure at this offset. Without
 * FLOW_FIRST_FIELD, it is the whole structure. Sets of locations are sorted. */
typedef uint64_t flow_location;
#define FLOW_FIRST_FIELD ((flow_location)1 << 31)
struct flow_locations { flow_location *at; size_t n, room; };
static inline flow_location flow_location_of(uint32_t symbol, uint32_t offset)
{
	return (uint64_t)symbol << 32 | offset;
}
static inline uint32_t flow_location_symbol(flow_location at) { return (uint32_t)(at >> 32); }
static inline uint32_t flow_location_offset(flow_location at) { return (uint32_t)at & INT32_MAX; }

struct flow_content { uint32_t symbol, offset; struct flow_locations locations; };

/* The target of an edge: node << 1 | implicit. */
typedef uint32_t flow_edge;

enum flow_call_way {
	FLOW_DIRECT,                  /* the arguments of the call are the arguments of the
	                               * callee */
	FLOW_BY_ROUTINE,              /* a library's routine, such as qsort, calls the callee
	                               * back */
	FLOW_BY_UNKNOWN,              /* a function without analysis got the callee's address */
};

/* A call in the graph. A CALL that may call several functions has one such entry for each
 * function. */
struct flow_call {
	uint32_t value;               /* number of the CALL or FORK in the program */
	enum flow_call_way way;
	const struct routine_effect *back; /* FLOW_BY_ROUTINE: the effect that calls back */
	uint32_t callee;              /* number of a function; FLOW_NONE: a routine of a library is
	                               * called */
	const char *name;             /* name of the library's routine; NULL: not known */
	const struct routine *routine; /* the library's routine, also with FLOW_BY_ROUTINE; NULL:
	                                * not in the table */
	bool begins_list;             /* the routine is va_start: its list then points to the
	                               * variable arguments */
	uint32_t first_node, nodes;   /* a callee has a node for each of its outputs, in order; a
	                               * routine has a node for each place that gets its time */
};

/* Why the effects of work that reaches a node are not known: */
enum flow_doubt_kind {
	FLOW_DOUBT_FUNCTION,          /* a CALL of a function without analysis */
	FLOW_DOUBT_POINTER,           /* a CALL through a pointer, and it is not known to which
	                               * functions */
	FLOW_DOUBT_ASSEMBLY,          /* an ASSEMBLY */
	FLOW_DOUBT_JUMP,              /* a CALL of longjmp */
	FLOW_DOUBTS
};
struct flow_doubt { enum flow_doubt_kind kind; uint32_t node, value; };

/* The numbers of the first outputs: the result, output routines, and each kind of doubt. Outputs
 * that are cells follow. */
enum { FLOW_RETURN, FLOW_OUTPUT, FLOW_FIRST_DOUBT, FLOW_OUTPUTS = FLOW_FIRST_DOUBT + FLOW_DOUBTS };

struct flow_input {
	uint32_t argument;            /* number of a parameter; FLOW_NONE: the input is `cell` */
	struct flow_cell cell;
	struct flow_range reached;    /* range of graph.reached, whose items are output << 1 |
	                               * implicit */
};

/* In a coarse graph, all memory of one type behind pointers is one symbol. A struct flow_definition
 * is one of the pointers to this symbol: the pointer in symbol `a` at `offset`. */
struct flow_definition { uint32_t symbol, a, offset; };

enum {
	FLOW_FINE,
	FLOW_BY_TYPE, /* memory of one type is one symbol, unless a parameter points to it */
	FLOW_COARSE,  /* as FLOW_BY_TYPE, and all fields of a symbol are treated as one */
	FLOW_ONE,     /* all memory behind pointers in memory is one symbol */
};

struct flow_graph {
	uint32_t function;
	bool built;
	uint8_t coarse;               /* how coarse the graph is: FLOW_FINE ... */
	uint32_t heaps;               /* number of heap symbols */
	VEC(struct flow_symbol) symbol;
	struct map symbols;
	struct flow_locations *locations; /* the locations to which each value may point */
	VEC(struct flow_definition) definition; /* coarse graphs: further pointers to symbols,
	                                         * beside the one in struct flow_symbol */
	struct map definitions;
	VEC(struct flow_content) content;
	struct map contents;
	struct flow_locations result; /* the locations to which the function's result may point */
	uint32_t nodes;               /* number of nodes; the first are the values */
	uint32_t *first_edge;         /* nodes + 1 indices of `edge` */
	VEC(flow_edge) edge;
	uint32_t *first_write;        /* nodes + 1 indices of `write` */
	VEC(struct flow_cell) write;  /* the cells that the nodes write */
	VEC(uint32_t) output_node;    /* nodes that end in an output routine; sorted */
	VEC(struct flow_doubt) doubt; /* also the doubts of callees; their node is that of the
	                               * call */
	VEC(struct flow_call) call;
	VEC(struct flow_cell) output; /* the outputs; the first FLOW_OUTPUTS have no cell */
	VEC(struct flow_input) input;
	VEC(uint32_t) reached;
};

struct flow_analysis {
	const struct flow_program *program;
	const struct routines *routines;
	struct flow_graph *graph;     /* the graph of each function */
	uint32_t *first_target;       /* values + 1 indices of `target` */
	VEC(uint32_t) target;         /* the functions that CALLs and FORKs may run */
	VEC(uint64_t) fact;           /* calls whose targets are known: value << 32 | function */
	uint32_t *component;          /* of each function: the number of its group of functions that
	                               * call each other */
	bool *handle;                 /* of each type: whether its values stand for memory */
	bool small_handles;           /* whether some handles are smaller than pointers */
	uint32_t coarse;              /* number of graphs with too much memory to keep all symbols
	                               * apart */
};

/* Adds a call that a sampled stack shows. To be called before flow_analysis_run. */
void flow_analysis_add_call(struct flow_analysis *analysis, uint32_t value, uint32_t function);
void flow_analysis_run(struct flow_analysis *analysis, const struct flow_program *program,
		       const struct routines *routines);
void flow_analysis_release(struct flow_analysis *analysis);

/* The symbol of memory that a call allocated. If `callee` is FLOW_NONE, the call itself allocated
 * the memory. Otherwise the callee allocated it, and has it as symbol `inner`. FLOW_NONE: the graph
 * has no such symbol, or has merged it with other memory. */
uint32_t flow_heap_find(const struct flow_graph *graph, uint32_t call, uint32_t callee,
			uint32_t inner);
/* Whether the symbol is no variable of the source: memory made by a call or alloca, or a compound
 * literal. */
bool flow_is_nameless(const struct flow_program *program, const struct flow_symbol *symbol);
/* Whether one of the locations is in the symbol. */
bool flow_locations_hold(const struct flow_locations *locations, uint32_t symbol);
/* The output of a graph that is this cell; FLOW_NONE: the function's callers cannot see the
 * cell. */
uint32_t flow_output_of(const struct flow_graph *graph, const struct flow_cell *cell);
static inline bool flow_cells_overlap(const struct flow_cell *a, const struct flow_cell *b)
{
	return a->symbol == b->symbol && a->low < b->high && b->low < a->high;
}

#endif
