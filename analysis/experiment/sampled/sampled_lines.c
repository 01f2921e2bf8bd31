// SPDX-License-Identifier: BSD-3-Clause
/* sampled_lines.c - finds the lines of samples. Called by one thread. A member of a team that waits
 * in the runtime of OpenMP has the line of its team: the search goes on in the origin of its
 * stack. */
#include "experiment/sampled/sampled_lines.h"

#include <stdlib.h>

#include "base/path.h"

static const struct code_site *site_of(struct stack_functions *f, uint32_t number,
				       const struct stacks *stacks,
				       const struct stacks_stack *stack)
{
	const struct code_site *site = stack_functions_site(f, number, stack);
	for (uint32_t at = stack->origin; !site && at != NONE; at = stacks->stack.at[at].origin)
		site = stack_functions_site(f, number, &stacks->stack.at[at]);
	return site;
}

void sampled_lines_add(struct stack_functions *functions, uint32_t number,
		       const struct stacks *stacks)
{
	struct sampled *sampled = functions->sampled;
	struct strmap by_place = { 0 };
	for (size_t i = 0; i < stacks->stack.n; i++) {
		const struct stacks_stack *stack = &stacks->stack.at[i];
		bool is_new, is_sample = stack->kind == SIS_STACK_RUNNING ||
			stack->kind == SIS_STACK_BLOCKED;
		if (!is_sample || !stack->count)
			continue;
		const struct code_site *site = site_of(functions, number, stacks, stack);
		char *path = site ? path_absolute(site->file_directory ?: site->directory ?: "",
						  site->file) : NULL;
		const char *file = path ?: site ? site->file : NULL;
		char *place = mem_print("%u %u %s", stack->slot, site ? site->line : 0, file ?: "");
		uint32_t at = strmap_put(&by_place, place, (uint32_t)sampled->line.n, &is_new);
		if (is_new)
			*vec_push(&sampled->line) = (struct sampled_line){
				.file = file ? mem_string(file) : NULL,
				.line = site ? site->line : 0,
				.stacks = stacks,
				.slot = stack->slot,
			};
		sampled->line.at[at].samples += stack->count;
		sampled->line.at[at].weight += stack->weight;
		free(place);
		free(path);
	}
	strmap_free(&by_place);
}
