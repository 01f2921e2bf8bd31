/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_functions.h - the functions of the stacks of a run. */
#ifndef SIS_ANALYSIS_STACK_FUNCTIONS_H
#define SIS_ANALYSIS_STACK_FUNCTIONS_H

#include "base/map.h"
#include "experiment/sampled/sampled.h"

/* Functions list[first ...]; count 0: code of a runtime. */
struct function_range { uint32_t first, count; };

struct stack_functions { /* the caller sets the first two members */
	struct sampled *sampled;
	const struct run_modules *modules;
	struct strmap by_identity; /* module, name and place -> index of sampled->function */
	struct strmap call_by_identity; /* region, function and line -> index of sampled->call */
	struct map by_address;     /* (module, address) -> index of `range` */
	VEC(struct function_range) range;
	VEC(uint32_t) list;        /* functions at an address, outermost first */
};

/* The functions of a stack of the program, outermost first. The code of the runtimes of SIS and
 * OpenMP is left out. border[i]: the number of functions outside of the i-th part of the stack that
 * is in such code. */
struct call_path {
	VEC(uint32_t) function;
	VEC(uint32_t) border;
};

/* Warns of modules whose functions have no names, because their files are not those of the run. */
void stack_functions_warn(struct stack_functions *f);
/* Fills `path`, whose old contents are lost. `number`: of the process. */
void stack_functions_path(struct stack_functions *f, uint32_t number,
			  const struct stacks_stack *stack, struct call_path *path);
/* The functions that have the place of a call in the process's profile. count 0: none is known. */
struct function_range stack_functions_of_call(struct stack_functions *f, uint32_t number,
					      size_t call);
/* The innermost position of a stack that has a line, outside of runtimes and libc; NULL: there is
 * none. */
const struct code_site *stack_functions_site(const struct stack_functions *f, uint32_t number,
					     const struct stacks_stack *stack);
void stack_functions_release(struct stack_functions *f);

#endif
