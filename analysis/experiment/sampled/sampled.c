// SPDX-License-Identifier: BSD-3-Clause
/* sampled.c - adds the functions of samples to the profiles of all processes. Called by one
 * thread. */
#include "experiment/sampled/sampled.h"

#include <stdlib.h>

#include "experiment/sampled/interpreters.h"
#include "experiment/sampled/sampled_calls.h"
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
	struct function_places places = { 0 };
	struct measured_paths *paths = mem_alloc(processes, sizeof *paths);
	struct sampled_nodes **nodes = mem_alloc(processes, sizeof *nodes);
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
			.functions = &functions, .groups = &groups, .places = &places,
			.number = process[i].number,
		};
		sampled_calls_add(&functions, process[i].number, process[i].profile);
		sampled_lines_add(&functions, process[i].number, process[i].stacks);
		rc = has_times(process[i].stacks) ? measured_paths_find(&paths[i], err) : 0;
	}
	for (size_t i = 0; rc == 0 && i < processes; i++)
		nodes[i] = paths[i].count ? sampled_nodes_begin(&paths[i]) : NULL;
	for (size_t i = 0; rc == 0 && i < processes; i++)
		sampled->samples += nodes[i] ? sampled_nodes_end(nodes[i]) : 0;
	for (size_t i = 0; i < processes; i++)
		measured_paths_release(&paths[i]);
	free(paths);
	free(nodes);
	function_places_release(&places);
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
	for (size_t i = 0; i < sampled->call.n; i++) {
		struct sampled_call *c = &sampled->call.at[i];
		free(c->builtin), free(c->file), free(c->directory);
	}
	for (size_t i = 0; i < sampled->warning.n; i++)
		free(sampled->warning.at[i]);
	for (size_t i = 0; i < sampled->line.n; i++)
		free(sampled->line.at[i].file);
	free(sampled->build);
	vec_free(&sampled->line);
	vec_free(&sampled->function);
	vec_free(&sampled->call);
	vec_free(&sampled->warning);
}
