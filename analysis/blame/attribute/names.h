/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - the variables of a function, and the name of each cell. A cell of a local or global
 * variable is named by the variable. Any other cell is named by the shortest access path to the
 * cell. */
#ifndef SIS_ANALYSIS_BLAME_NAMES_H
#define SIS_ANALYSIS_BLAME_NAMES_H

#include "blame/attribute/blame.h"
#include "blame/flow/graph.h"

struct variable {
	enum blame_variable_kind kind;
	uint32_t id;             /* number of the object; BLAME_HEAP: number of the symbol in the
	                          * graph */
	char *name;
	uint32_t type, file, line;
};

/* How a function names a symbol. */
struct symbol_name {
	uint32_t variable;       /* FLOW_NONE: the symbol has no name */
	char *text;              /* name of the object, or of the pointer to the symbol */
	bool pointed;            /* `text` names a pointer */
	const char *joint;       /* between `text` and the name of a member: "->", "." or "::" */
};

struct names {
	const struct flow_program *program;
	const struct flow_graph *graph;
	VEC(struct variable) variable;
	struct map variables;    /* (kind, id) -> index of `variable` */
	struct symbol_name *symbol; /* the name of each symbol of the graph */
	struct strmap fields;    /* access path of a part -> index of `field` */
	VEC(char *) field;       /* access paths, each once; field 0 is "" */
};

/* A part of a variable: indices into names.variable and names.field. */
struct part { uint32_t variable, field; };

void names_init(struct names *names, const struct flow_program *program,
		const struct flow_graph *graph);
/* The part of a variable that a cell is. The part's variable is FLOW_NONE if the cell has no
 * name. */
struct part names_of_cell(struct names *names, const struct flow_cell *cell);
/* The variable that an object is; FLOW_NONE: the object has no name in the source. */
uint32_t names_of_object(struct names *names, uint32_t object);
/* The variable that stands for BLAME_RESULT, BLAME_OUTPUT or BLAME_OTHER. */
uint32_t names_of_kind(struct names *names, enum blame_variable_kind kind);
void names_release(struct names *names);

#endif
