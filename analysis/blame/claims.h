/* SPDX-License-Identifier: BSD-3-Clause */
/* claims.h - which variables may name the memory that a function or its callees made, and how far
 * each is from the call that made it: how often another address was computed on the way.
 *
 *      void *block = malloc(n);           no name: a pointer to void
 *      mat.A = align(block);              distance 1
 *      double *B = mat.A + n;             distance 2, because it comes from mat.A
 */
#ifndef SIS_ANALYSIS_CLAIMS_H
#define SIS_ANALYSIS_CLAIMS_H

#include "flow/graph.h"

struct claim {
	uint32_t symbol, distance;
	uint32_t object;  /* a pointer; FLOW_NONE: memory that holds a pointer ... */
	uint32_t content; /* ... graph->content.at[content] */
};

struct claims { VEC(struct claim) list; };

/* Nearest first; at the same distance pointers in the order of their declarations, then memory. */
void claims_find(struct claims *claims, const struct flow_program *program,
		 const struct flow_graph *graph);
/* Whether an object can name memory: it has a name, and is no pointer to void. */
bool claims_is_name(const struct flow_program *program, uint32_t object);

#endif
