/* SPDX-License-Identifier: BSD-3-Clause */
/* tail_calls.h - a function's tail calls: after such a call, the function only returns. Compilers
 * make these calls jumps. A value that runs a construct of OpenMP, or creates a task, counts as a
 * call of the body of the construct or task. */
#ifndef SIS_ANALYSIS_TAIL_CALLS_H
#define SIS_ANALYSIS_TAIL_CALLS_H

#include "blame/flow/program.h"

enum tail_kind { TAIL_FUNCTION, TAIL_POINTER, TAIL_ROUTINE };

struct tail_call {
	uint32_t value;   /* number of the value, a CALL or FORK */
	uint32_t callee;  /* TAIL_FUNCTION: number of the function */
	enum tail_kind kind;
	bool fork;        /* the value is a FORK: OpenMP's runtime calls the callee */
};

struct tail_calls { VEC(struct tail_call) call; bool known; };

/* The tail calls of `function`. `all` has an item for each function. The first call for a function
 * fills its item. */
const struct tail_calls *tail_calls_of(struct tail_calls *all, const struct flow_program *program,
				       uint32_t function);

#endif
