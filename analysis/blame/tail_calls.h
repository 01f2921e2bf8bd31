/* SPDX-License-Identifier: BSD-3-Clause */
/* tail_calls.h - the calls of a function after which it does nothing but return: compilers make
 * jumps of them. What runs a construct of OpenMP or makes a task is a call of its body. */
#ifndef SIS_ANALYSIS_TAIL_CALLS_H
#define SIS_ANALYSIS_TAIL_CALLS_H

#include "flow/program.h"

enum tail_kind { TAIL_FUNCTION, TAIL_POINTER, TAIL_ROUTINE };

struct tail_call {
	uint32_t value;   /* CALL or FORK */
	uint32_t callee;  /* TAIL_FUNCTION: its number */
	enum tail_kind kind;
	bool fork;        /* a FORK: OpenMP's runtime calls the callee */
};

struct tail_calls { VEC(struct tail_call) call; bool known; };

/* One for each function; each is filled when it is asked for. */
const struct tail_calls *tail_calls_of(struct tail_calls *all, const struct flow_program *program,
				       uint32_t function);

#endif
