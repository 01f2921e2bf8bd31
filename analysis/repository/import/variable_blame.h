/* SPDX-License-Identifier: BSD-3-Clause */
/* variable_blame.h - finds the variables for which the samples of a run (SIS_BLAME) were spent.
 * Also finds the variables of measured waits and transfers, for which no samples are needed. */
#ifndef SIS_ANALYSIS_VARIABLE_BLAME_H
#define SIS_ANALYSIS_VARIABLE_BLAME_H

#include "blame/attribute/blame.h"
#include "blame/attribute/measured_stacks.h"
#include "blame/attribute/memory.h"
#include "repository/database/repository.h"

struct variable_blame {
	/* Whether there are samples. If not, only `measured` and `overheads` may have contents. */
	bool sampled;
	struct flow_program program;
	struct placed placed;
	struct placed_memory accessed;
	struct blame blame;
	struct memory_blame memory; /* of `accessed` */
	struct measured_stacks measured; /* has no stacks if nothing was measured for variables */
	struct blame overheads;  /* of measured.placed */
	const struct experiment *x;
};

/* If `routines` is NULL, the built-in ones are used. Each failure becomes a warning in x->warning,
 * and the samples concerned have no variables. */
void variable_blame_find(struct variable_blame *v, struct experiment *x,
			 const struct routines *routines);
/* For store_options.further; `rows` is a struct variable_blame. */
int variable_blame_store(struct repo *repo, int64_t experiment, const void *rows, struct err *err);
void variable_blame_release(struct variable_blame *v);

#endif
