/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_calls.h - finds the statements of the calls and constructs that regions describe. */
#ifndef SIS_ANALYSIS_MEASURED_CALLS_H
#define SIS_ANALYSIS_MEASURED_CALLS_H

#include "blame/flow/program.h"
#include "blame/place/place.h"

/* A call of `callee` in these lines of a function. `column` is that of the call. A column of 0 is
 * not known: all calls of `callee` in these lines are meant. */
struct call_site {
	const char *function, *file, *callee;
	uint32_t line, column, line_end;
};

/* Appends the statements that have the call to placed->statement, and returns their function. All
 * these statements are in one function. (The body of a construct of OpenMP is a function of its
 * own.) FLOW_NONE: there is no such statement, and nothing is appended. */
uint32_t measured_call_find(const struct flow_program *program, const struct call_site *site,
			    struct placed *placed);
/* Appends the statements that create threads which begin in `function`, and returns the function
 * that has these statements. FLOW_NONE: no such statement is known, or several functions have such
 * statements. */
uint32_t measured_creators_find(const struct flow_program *program, uint32_t function,
				struct placed *placed);
/* Appends the statement of the construct of OpenMP that begins in the site's lines. Returns the
 * function that has this statement; FLOW_NONE: there is none. */
uint32_t measured_construct_find(const struct flow_program *program, const struct call_site *site,
				 struct placed *placed);
/* The function of this name, in a file of this name; FLOW_NONE: no part of the program that was
 * built with --sis-blame has this function. */
uint32_t measured_function_find(const struct flow_program *program, const char *function,
				const char *file);
/* Appends the statement that runs an outlined function, and returns the function that has this
 * statement. FLOW_NONE: `function` is no outlined function, or nothing runs it. */
uint32_t measured_fork_find(const struct flow_program *program, uint32_t function,
			    struct placed *placed);

#endif
