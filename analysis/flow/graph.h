/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.h - how work flows within each function of a program, and through it.
 *
 * A function sees memory as *symbols*, and names them from its own point of view, so that one graph
 * serves all its callers:
 *
 *      object      a global, a static or a local variable
 *      behind      what the pointer at a place (symbol, offset) pointed to when the function began:
 *                  behind(parameter 0), behind(behind(parameter 0) + 16) ...
 *      heap        memory that a call made: (call, and the symbol of the callee behind it)
 *      passed      the variable arguments of a call. In the callee they are what the parameter
 *                  after the last one points to
 *
 * A *cell* is a range of bytes of a symbol. The graph has nodes for all values, and for what each
 * call reads and writes. Edges are explicit (operands; a store and a load of the same cell) or
 * implicit (a branch and what it controls). Arrays are one element.
 *
 * The *summary* of a function says which of its inputs (parameters, cells that it reads) flow to
 * which of its outputs (result, output routines, cells that it writes). Callers translate the
 * symbols of the callee to their own by the arguments of the call. So two calls of one function
 * stay apart.
 *
 * LIMIT: the variable arguments of a call are one memory: what flows from one may flow from any.
 *
 * LIMIT: two parameters that point to the same memory are two symbols in the callee. What it writes
 * through one does not flow to what it reads through the other. */
#ifndef SIS_ANALYSIS_FLOW_GRAPH_H
#define SIS_ANALYSIS_FLOW_GRAPH_H

#include "flow/program.h"
#include "flow/routines.h"

enum flow_symbol_kind { FLOW_OBJECT, FLOW_ARGUMENT, FLOW_BEHIND, FLOW_HEAP };

struct flow_symbol {
	uint8_t kind, depth;
	bool external;          /* exists when the function is called, or its caller may see it */
	bool blurred;           /* all its offsets are one */
	bool passed;            /* HEAP: the variable arguments of a call, which have no name */
	bool handle;            /* BEHIND: what a handle stands for, which may be an integer */
	uint32_t a;             /* OBJECT: object; ARGUMENT: its number; BEHIND: symbol;
	                         * HEAP: CALL or ALLOCA value */
	uint32_t offset;        /* BEHIND */
	uint32_t callee, inner; /* HEAP: function and its symbol; FLOW_NONE: the call made it */
	uint32_t root;          /* HEAP: the value that made it, in whatever function */
	uint32_t type;          /* of an element; FLOW_NONE: not known */
};

#define FLOW_END UINT32_MAX /* upper bound of a cell: to the end of the symbol */
struct flow_cell { uint32_t symbol, low, high; };

/* A place that a pointer may hold: symbol << 32 | FLOW_FIRST_FIELD | offset. Sets are sorted. With
 * FLOW_FIRST_FIELD it is that of the first member, and without it that of the whole structure. */
typedef uint64_t flow_place;
#define FLOW_FIRST_FIELD ((flow_place)1 << 31)
struct flow_places { flow_place *at; size_t n, room; };
static inline flow_place flow_place_of(uint32_t symbol, uint32_t offset)
{
	return (uint64_t)symbol << 32 | offset;
}
static inline uint32_t flow_place_symbol(flow_place place) { return (uint32_t)(place >> 32); }
static inline uint32_t flow_place_offset(flow_place place) { return (uint32_t)place & INT32_MAX; }

struct flow_content { uint32_t symbol, offset; struct flow_places places; };

/* An edge of the graph: node << 1 | implicit. */
typedef uint32_t flow_edge;

enum flow_call_way {
	FLOW_DIRECT,                  /* the arguments of the call are those of the callee */
	FLOW_BY_ROUTINE,              /* a library's routine calls back: qsort */
	FLOW_BY_UNKNOWN,              /* a function that is not known got the callee's address */
};

/* A call as the graph has it: one for each function that it may call. */
struct flow_call {
	uint32_t value;               /* CALL or FORK: number in the program */
	enum flow_call_way way;
	const struct routine_effect *back; /* BY_ROUTINE: the effect that calls back */
	uint32_t callee;              /* FLOW_NONE: a library's */
	const char *name;             /* of the library's routine; NULL: not known */
	const struct routine *routine; /* of the library, also BY_ROUTINE; NULL: not in the table */
	bool begins_list;             /* va_start: its list refers to the variable arguments */
	uint32_t first_node, nodes;   /* callee: one for each output, in order; routine: one for
	                               * each place that gets its time */
};

/* At a node, work enters something whose effects are not known: */
enum flow_doubt_kind {
	FLOW_DOUBT_FUNCTION,          /* a CALL of a function without analysis */
	FLOW_DOUBT_POINTER,           /* a CALL through a pointer, and no function is known */
	FLOW_DOUBT_ASSEMBLY,          /* an ASSEMBLY */
	FLOW_DOUBT_JUMP,              /* a CALL of longjmp */
	FLOW_DOUBTS
};
struct flow_doubt { enum flow_doubt_kind kind; uint32_t node, value; };

/* The first outputs: the result, output routines, each kind of doubt; cells follow. */
enum { FLOW_RETURN, FLOW_OUTPUT, FLOW_FIRST_DOUBT, FLOW_OUTPUTS = FLOW_FIRST_DOUBT + FLOW_DOUBTS };

struct flow_input {
	uint32_t argument;            /* number of a parameter, or FLOW_NONE: a cell */
	struct flow_cell cell;
	struct flow_range reached;    /* of graph.reached: output << 1 | implicit */
};

/* Behind a pointer of a coarse graph stands one symbol for each type. This is one of the places
 * where it was found. */
struct flow_definition { uint32_t symbol, a, offset; };

enum {
	FLOW_FINE,
	FLOW_BY_TYPE, /* memory of one type is one symbol, unless a parameter points to it */
	FLOW_COARSE,  /* and its fields are one */
	FLOW_ONE,     /* all memory behind pointers in memory is one symbol */
};

struct flow_graph {
	uint32_t function;
	bool built;
	uint8_t coarse;               /* FLOW_FINE ... */
	uint32_t heaps;               /* symbols of heap memory */
	VEC(struct flow_symbol) symbol;
	struct map symbols;
	struct flow_places *places;   /* of each value */
	VEC(struct flow_definition) definition; /* of coarse graphs, beside the one in the symbol */
	struct map definitions;
	VEC(struct flow_content) content;
	struct map contents;
	struct flow_places result;    /* what the function returns */
	uint32_t nodes;               /* values first */
	uint32_t *first_edge;         /* nodes + 1 */
	VEC(flow_edge) edge;
	uint32_t *first_write;        /* nodes + 1: of `write` */
	VEC(struct flow_cell) write;  /* what a node writes */
	VEC(uint32_t) output_node;    /* nodes that end in an output routine; sorted */
	VEC(struct flow_doubt) doubt; /* those of callees, too: the node is of the call */
	VEC(struct flow_call) call;
	VEC(struct flow_cell) output; /* outputs; the first FLOW_OUTPUTS are no cells */
	VEC(struct flow_input) input;
	VEC(uint32_t) reached;
};

struct flow_analysis {
	const struct flow_program *program;
	const struct routines *routines;
	struct flow_graph *graph;     /* of each function */
	uint32_t *first_target;       /* of each value, + 1: of `target` */
	VEC(uint32_t) target;         /* functions that a CALL or FORK may run */
	VEC(uint64_t) fact;           /* value << 32 | function: calls that were seen */
	uint32_t *component;          /* of each function: functions that call each other */
	bool *handle;                 /* of each type: whether its values stand for memory */
	bool small_handles;           /* some are smaller than pointers */
	uint32_t coarse;              /* graphs whose memory was too large to keep apart */
};

/* A call that a sampled stack shows. Before flow_analysis_run. */
void flow_analysis_add_call(struct flow_analysis *analysis, uint32_t value, uint32_t function);
void flow_analysis_run(struct flow_analysis *analysis, const struct flow_program *program,
		       const struct routines *routines);
void flow_analysis_release(struct flow_analysis *analysis);

/* The symbol of memory that a call made: itself (callee FLOW_NONE), or as symbol `inner` of its
 * callee. FLOW_NONE: the graph does not have it, or as one with other memory. */
uint32_t flow_heap_find(const struct flow_graph *graph, uint32_t call, uint32_t callee,
			uint32_t inner);
/* Whether it is memory that is no variable of the source: a call made it, alloca, or a compound
 * literal. */
bool flow_is_nameless(const struct flow_program *program, const struct flow_symbol *symbol);
/* Whether the places have a place in the symbol. */
bool flow_places_hold(const struct flow_places *places, uint32_t symbol);
/* The output of a graph that is this cell; FLOW_NONE: the function's callers cannot see it. */
uint32_t flow_output_of(const struct flow_graph *graph, const struct flow_cell *cell);
static inline bool flow_cells_overlap(const struct flow_cell *a, const struct flow_cell *b)
{
	return a->symbol == b->symbol && a->low < b->high && b->low < a->high;
}

#endif
