// SPDX-License-Identifier: BSD-3-Clause
/* sampled.c - adds the functions of samples to the profiles of all processes. Called by one
 * thread. */
#include "experiment/sampled/sampled.h"

#include <stdlib.h>

#include "experiment/sampled/interpreters.h"
#include "experiment/sampled/sampled_lines.h"
#include "experiment/sampled/sampled_nodes.h"

/* LIMIT: samples of events (SIS_BLAME=EVENT) have no times, so functions have none. */
static bool has_times(const struct stacks *stacks)
{
	return stacks->head.method == SIS_METHOD_CLOCK || stacks->head.method == SIS_METHOD_TIMER;
}

int sampled_find(struct sampled *sampled, const struct run_modules *modules,
		 const struct sampled_process *process, size_t processes, struct err *err)
{
	struct stack_functions functions = { .sampled = sampled, .modules = modules };
	struct group_paths groups = { 0 };
	struct measured_paths *paths = mem_alloc(processes, sizeof *paths);
	*sampled = (struct sampled){ 0 };
	int rc = 0;
	stack_functions_warn(&functions);
	interpreters_warn(sampled, process, processes);
	/* the runtime reports the program's own file first */
	if (modules->module.n)
		sampled->build = run_module_identity(&modules->module.at[0]);
	for (uint32_t i = 0; rc == 0 && i < processes; i++) {
		paths[i] = (struct measured_paths){
			.profile = process[i].profile, .stacks = process[i].stacks,
			.functions = &functions, .groups = &groups,
			.number = process[i].number,
		};
		sampled_lines_add(&functions, process[i].number, process[i].stacks);
		rc = has_times(process[i].stacks) ? measured_paths_find(&paths[i], err) : 0;
	}
	for (size_t i = 0; rc == 0 && i < processes; i++)
		if (paths[i].count)
			sampled->samples += sampled_nodes_add(&paths[i]);
	for (size_t i = 0; i < processes; i++)
		measured_paths_release(&paths[i]);
	free(paths);
	group_paths_release(&groups);
	stack_functions_release(&functions);
	return rc;
}

void sampled_release(struct sampled *sampled)
{
	for (size_t i = 0; i < sampled->function.n; i++) {
		struct sampled_function *f = &sampled->function.at[i];
		free(f->name), free(f->module), free(f->file), free(f->directory);
	}
	for (size_t i = 0; i < sampled->warning.n; i++)
		free(sampled->warning.at[i]);
	for (size_t i = 0; i < sampled->line.n; i++)
		free(sampled->line.at[i].file);
	free(sampled->build);
	vec_free(&sampled->line);
	vec_free(&sampled->function);
	vec_free(&sampled->warning);
}
