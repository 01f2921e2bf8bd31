/* SPDX-License-Identifier: BSD-3-Clause */
/* store_blame.h - stores the variables to which the samples of an experiment belong. */
#ifndef SIS_ANALYSIS_STORE_BLAME_H
#define SIS_ANALYSIS_STORE_BLAME_H

#include "blame/attribute/blame.h"
#include "experiment/model/experiment.h"
#include "repository/database/repository.h"

struct blame_rows {
	const struct experiment *x;         /* `blame` and `placed` have indices of its processes */
	const struct flow_program *program;
	const struct placed *placed;
	const struct blame *blame;
};

/* For store_options.further; `rows` is a struct blame_rows. The processing units of the experiment
 * must have been stored. A thread that was never measured has no processing unit. Its samples count
 * for the initial thread of its process. */
int store_blame(struct repo *repo, int64_t experiment, const void *rows, struct err *err);
/* The name of a kind in table variable. */
const char *store_blame_kind(enum blame_variable_kind kind);

#endif
