/* SPDX-License-Identifier: BSD-3-Clause */
/* claims.h - which variables may name memory that a function or its callees allocated, and the
 * distance of each variable from the allocating call. The distance is the number of times that
 * another address was computed on the way.
 *
 *      void *block = malloc(n);           no name: a pointer to void
 *      mat.A = align(block);              distance 1
 *      double *B = mat.A + n;             distance 2, because it comes from mat.A
 */
#ifndef SIS_ANALYSIS_CLAIMS_H
#define SIS_ANALYSIS_CLAIMS_H

#include "blame/flow/graph.h"

struct claim {
	uint32_t symbol, distance;
	uint32_t object;  /* number of the pointer's object; FLOW_NONE: no pointer variable, but
	                   * memory that holds a pointer, namely ... */
	uint32_t content; /* ... graph->content.at[content] */
};

struct claims { VEC(struct claim) list; };

/* The nearest claims come first. At the same distance, pointers come first, in the order of their
 * declarations, then memory that holds a pointer. */
void claims_find(struct claims *claims, const struct flow_program *program,
		 const struct flow_graph *graph);
/* Whether an object can name memory: it has a name itself, and is no pointer to void. */
bool claims_is_name(const struct flow_program *program, uint32_t object);

#endif
