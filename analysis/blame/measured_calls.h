/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_calls.h - the statements of calls that regions describe. */
#ifndef SIS_ANALYSIS_MEASURED_CALLS_H
#define SIS_ANALYSIS_MEASURED_CALLS_H

#include "flow/program.h"
#include "place/place.h"

/* A call of `callee` in these lines of a function. column: of the call; 0: not known, then all
 * calls of these lines are meant. */
struct call_site {
	const char *function, *file, *callee;
	uint32_t line, column, line_end;
};

/* Appends the statements to placed->statement, all of one function, which is returned. A construct
 * of OpenMP has functions of its own. Without any, nothing is appended. */
uint32_t measured_call_find(const struct flow_program *program, const struct call_site *site,
			    struct placed *placed);
/* Appends the statements that create threads which begin in this function, all of one function,
 * which is returned. FLOW_NONE: none is known, or statements of several functions do. */
uint32_t measured_creators_find(const struct flow_program *program, uint32_t function,
				struct placed *placed);
/* The statement of the construct of OpenMP that begins in the site's lines; otherwise as above. */
uint32_t measured_construct_find(const struct flow_program *program, const struct call_site *site,
				 struct placed *placed);
/* The function of this name, in a file of this name; FLOW_NONE: no part of the program that was
 * built with --sis-blame has it. */
uint32_t measured_function_find(const struct flow_program *program, const char *function,
				const char *file);
/* The statement that runs an outlined function, and the function that has it; FLOW_NONE: it is no
 * outlined function, or nothing runs it. */
uint32_t measured_fork_find(const struct flow_program *program, uint32_t function,
			    struct placed *placed);

#endif
