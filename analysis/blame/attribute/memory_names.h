/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_names.h - which variables hold the memory that was allocated in a stack.
 *
 *      stack        xmalloc          alloc_panel          solve                main
 *                   p = malloc(n)    p->L2 = xmalloc(n)   alloc_panel(PANEL)   solve(mat.panel)
 *      memory is    p, returned      p->L2                PANEL->L2            mat.panel->L2
 *
 *      name         p->L2: of the innermost function that names the memory and does not return it
 *      container    mat of main: the outermost variable that the memory is a part of */
#ifndef SIS_ANALYSIS_MEMORY_NAMES_H
#define SIS_ANALYSIS_MEMORY_NAMES_H

#include "blame/flow/program.h"
#include "blame/flow/routines.h"
#include "blame/place/place.h"

struct memory_name {
	/* A text that is not known is "" */
	char *name;                /* the pointer to the memory, `p->L2`; "a|b": one of these */
	/* the function whose local variable or parameter is in `name`; "": there is none in it */
	char *function;
	char *container;           /* the outermost variable that the memory is a part of */
	/* the function whose local variable or parameter `container` is; "": it is neither */
	char *container_function;
	char *type;                /* type of an element of the memory */
	char *path;                /* "main/solve/alloc_panel"; "" if the stack has no frames */
	/* position of the statement that allocates the memory: in `function`, else in the stack's
	 * innermost function */
	char *file;
	uint32_t line;
};

/* Fills name[0 ...]: a name for each stack of `placed`. */
void memory_names_find(struct memory_name *name, const struct flow_program *program,
		       const struct routines *routines, const struct placed *placed);
void memory_name_release(struct memory_name *name);

#endif
