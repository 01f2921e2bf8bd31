/* SPDX-License-Identifier: BSD-3-Clause */
/* call_chain.h - finds the calls that lead from each frame of a stack to the next frame, and adds
 * frames that are missing between the two.
 *
 * A compiler may turn the last call of a function into a jump. Then the frame of the function is
 * not on the stack:
 *
 *      source      main calls solve, `return factor(A);` in solve
 *      stack       factor            main: statement 4, which calls solve
 *      completed   factor   solve    main: statement 4
 *
 * The missing frame is added if exactly one sequence of such last calls leads from the functions
 * that the statement calls to the next frame. The body of a construct of OpenMP, or of a task, is a
 * function. The statement of the construct is treated as the call of this function, although
 * OpenMP's runtime calls the function. */
#ifndef SIS_ANALYSIS_CALL_CHAIN_H
#define SIS_ANALYSIS_CALL_CHAIN_H

#include "blame/flow/graph.h"
#include "blame/place/place.h"

/* Fills `completed` with the stacks of `placed` and the missing frames. The names in `completed`
 * belong to `placed`. If a stack shows which function was called through a pointer, or by a
 * library's routine that calls back, this call is added to the analysis. */
void call_chain_complete(struct placed *completed, struct flow_analysis *analysis,
			 const struct flow_program *program, const struct routines *routines,
			 const struct placed *placed);

#endif
