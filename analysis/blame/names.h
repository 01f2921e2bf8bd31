/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - the variables of a function, and which of them a cell belongs to: a local or global
 * that is the memory itself, else the shortest access path to it. */
#ifndef SIS_ANALYSIS_BLAME_NAMES_H
#define SIS_ANALYSIS_BLAME_NAMES_H

#include "blame/blame.h"
#include "flow/graph.h"

struct variable {
	enum blame_variable_kind kind;
	uint32_t id;             /* object; BLAME_HEAP: symbol of the graph */
	char *name;
	uint32_t type, file, line;
};

/* How a function names a symbol. */
struct symbol_name {
	uint32_t variable;       /* FLOW_NONE: it has no name */
	char *text;              /* of the object, or of the pointer to it */
	bool pointed;            /* `text` is a pointer */
};

struct names {
	const struct flow_program *program;
	const struct flow_graph *graph;
	VEC(struct variable) variable;
	struct map variables;    /* (kind, id) */
	struct symbol_name *symbol; /* of each symbol of the graph */
	struct strmap fields;    /* access paths of parts */
	VEC(char *) field;       /* each once; field 0 is "" */
};

/* A variable and a part of it: both are numbers in `names`. */
struct part { uint32_t variable, field; };

void names_init(struct names *names, const struct flow_program *program,
		const struct flow_graph *graph);
/* The part that a cell is. Its variable is FLOW_NONE if the cell has no name. */
struct part names_of_cell(struct names *names, const struct flow_cell *cell);
/* The variable that an object is; FLOW_NONE: it has no name in the source. */
uint32_t names_of_object(struct names *names, uint32_t object);
/* The row of what has no variable: BLAME_RESULT, BLAME_OUTPUT or BLAME_OTHER. */
uint32_t names_of_kind(struct names *names, enum blame_variable_kind kind);
void names_release(struct names *names);

#endif
