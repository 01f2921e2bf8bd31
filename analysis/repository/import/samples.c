// SPDX-License-Identifier: BSD-3-Clause
/* samples.c - reads the files of samples in the directory of a run. Called by one thread. */
#include "repository/import/samples.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/read/run_paths.h"

static void read_files(struct experiment *x)
{
	run_paths paths;
	run_paths_find(&paths, x->run.directory, stacks_is_name);
	for (size_t i = 0; i < paths.n; i++) {
		struct stacks stacks;
		struct err err = { "" };
		int rc = stacks_read(&stacks, paths.at[i], &err);
		if (rc == 0)
			*vec_push(&x->run.samples) = stacks;
		else if (rc != STACKS_UNWRITTEN)
			warnings_add(&x->warning, "samples are left out: %s", err.text);
	}
	run_paths_release(&paths);
	for (size_t i = 0; i < x->run.samples.n; i++)
		for (size_t k = 0; k < x->run.samples.at[i].warning.n; k++)
			warnings_add(&x->warning, "%s", x->run.samples.at[i].warning.at[k]);
}

/* The number of the process is not enough to find it, because a host may use a number again. */
uint32_t samples_process(const struct experiment *x, const struct stacks *stacks)
{
	const struct sis_stacks_header *h = &stacks->head;
	uint32_t found = NONE;
	for (uint32_t i = 0; i < x->model.process.n; i++) {
		const struct sis_profile_header *p = &x->model.process.at[i].profile.head;
		if (p->pid != h->pid || strcmp(p->host, h->host) != 0 ||
		    strcmp(p->run_id, h->run_id) != 0)
			continue;
		if (found == NONE || p->start.realtime_ns == h->start.realtime_ns)
			found = i;
	}
	return found;
}

void samples_read(struct experiment *x)
{
	struct err err = { "" };
	VEC(struct sampled_process) process = { 0 };
	read_files(x);
	for (size_t i = 0; i < x->run.samples.n; i++) {
		uint32_t number = samples_process(x, &x->run.samples.at[i]);
		run_modules_add(&x->run.modules, &x->run.samples.at[i],
				number == NONE ? NULL : &x->model.process.at[number].profile);
	}
	if (run_modules_find(&x->run.modules, &err)) {
		warnings_add(&x->warning, "samples are left out: %s", err.text);
		samples_release(&x->run);
	}
	for (uint32_t i = 0; i < x->run.samples.n; i++) {
		const struct stacks *stacks = &x->run.samples.at[i];
		uint32_t number = samples_process(x, stacks);
		if (number != NONE)
			*vec_push(&process) = (struct sampled_process){
				&x->model.process.fill.at[number].profile, stacks, i };
	}
	if (process.n &&
	    sampled_find(&x->run.sampled, &x->run.modules, process.at, process.n, &err))
		warnings_add(&x->warning, "functions of samples are left out: %s", err.text);
	for (size_t i = 0; i < x->run.sampled.warning.n; i++)
		warnings_add_of(&x->warning, WARNING_SAMPLED, "%s", x->run.sampled.warning.at[i]);
	vec_free(&process);
}

void samples_settle(struct experiment *x)
{
	for (size_t i = 0; i < x->run.sampled.line.n; i++)
		x->run.sampled.line.at[i].process =
			samples_process(x, x->run.sampled.line.at[i].stacks);
}

void samples_release(struct experiment_run *run)
{
	for (size_t i = 0; i < run->samples.n; i++)
		stacks_release(&run->samples.at[i]);
	vec_free(&run->samples);
	run_modules_release(&run->modules);
	run->modules = (struct run_modules){ 0 };
	sampled_release(&run->sampled);
}
