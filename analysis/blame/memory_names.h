/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_names.h - which variables hold the memory that was allocated in a stack.
 *
 *      stack        xmalloc          alloc_panel          solve                main
 *                   p = malloc(n)    p->L2 = xmalloc(n)   alloc_panel(PANEL)   solve(mat.panel)
 *      memory is    p, returned      p->L2                PANEL->L2            mat.panel->L2
 *
 *      name         p->L2: the innermost function that keeps it
 *      container    mat of main: the variable of the outermost function that it is a part of */
#ifndef SIS_ANALYSIS_MEMORY_NAMES_H
#define SIS_ANALYSIS_MEMORY_NAMES_H

#include "flow/program.h"
#include "flow/routines.h"
#include "place/place.h"

struct memory_name {
	/* Texts are "" if they are not known */
	char *name;                /* the pointer to it, `p->L2`; "a|b": one of several */
	char *function;            /* whose variable it is; "": of none */
	char *container;           /* the outermost variable that it is a part of */
	char *container_function;  /* likewise */
	char *type;                /* of an element */
	char *path;                /* "main/solve/alloc_panel"; the stack has no frames: "" */
	/* where it is allocated: in `function`, else in the innermost one of the stack */
	char *file;
	uint32_t line;
};

/* Fills one name for each stack of `placed`. */
void memory_names_find(struct memory_name *name, const struct flow_program *program,
		       const struct routines *routines, const struct placed *placed);
void memory_name_release(struct memory_name *name);

#endif
