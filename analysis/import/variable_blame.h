/* SPDX-License-Identifier: BSD-3-Clause */
/* variable_blame.h - the samples of a run (SIS_BLAME): from their files to the variables that they
 * were spent for. And the measured waits and transfers, which need no samples. */
#ifndef SIS_ANALYSIS_VARIABLE_BLAME_H
#define SIS_ANALYSIS_VARIABLE_BLAME_H

#include "blame/blame.h"
#include "blame/measured_stacks.h"
#include "blame/memory.h"
#include "repository/repository.h"

struct variable_blame {
	/* there are samples; else what follows is empty, but for the overheads */
	bool sampled;
	struct flow_program program;
	struct placed placed;
	struct placed_memory accessed;
	struct blame blame;
	struct memory_blame memory; /* of `accessed` */
	struct measured_stacks measured; /* without stacks: nothing was measured for variables */
	struct blame overheads;  /* of measured.placed */
	const struct experiment *x;
};

/* `routines`: NULL, those that are built in. What fails is a warning in x->warning, and its samples
 * have no variables. */
void variable_blame_find(struct variable_blame *v, struct experiment *x,
			 const struct routines *routines);
/* For store_options.further; `rows` is a struct variable_blame. */
int variable_blame_store(struct repo *repo, int64_t experiment, const void *rows, struct err *err);
void variable_blame_release(struct variable_blame *v);

#endif
