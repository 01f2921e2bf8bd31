/* SPDX-License-Identifier: BSD-3-Clause */
/* call_chain.h - which calls lead from each frame of a stack to the next one, and the frames that
 * are missing between them.
 *
 * A compiler makes the last call of a function a jump. Then the frame of the function is not on
 * the stack:
 *
 *      source      main calls solve, `return factor(A);` in solve
 *      stack       factor            main: statement 4, which calls solve
 *      completed   factor   solve    main: statement 4
 *
 * The frame is added if the functions that the statement calls lead to the next frame by calls of
 * this kind, and only in one way. The body of a construct of OpenMP, or of a task, is a function
 * that the construct's statement calls, with the runtime of OpenMP in between. */
#ifndef SIS_ANALYSIS_CALL_CHAIN_H
#define SIS_ANALYSIS_CALL_CHAIN_H

#include "flow/graph.h"
#include "place/place.h"

/* The stacks of `placed` with the frames that are missing. Names stay those of `placed`. Calls
 * through pointers, and of routines that call back, are added to the analysis. */
void call_chain_complete(struct placed *completed, struct flow_analysis *analysis,
			 const struct flow_program *program, const struct routines *routines,
			 const struct placed *placed);

#endif
