/* SPDX-License-Identifier: BSD-3-Clause */
/* store_blame.h - stores the variables that the samples of an experiment belong to. */
#ifndef SIS_ANALYSIS_STORE_BLAME_H
#define SIS_ANALYSIS_STORE_BLAME_H

#include "blame/blame.h"
#include "model/experiment.h"
#include "repository/repository.h"

struct blame_rows {
	const struct experiment *x;         /* whose processes `blame` and `placed` count */
	const struct flow_program *program;
	const struct placed *placed;
	const struct blame *blame;
};

/* For store_options.further; `rows` is a struct blame_rows. The processing units of the experiment
 * are there already. Samples of a thread that has none, because it was never measured, count for
 * the initial thread of its process. */
int store_blame(struct repo *repo, int64_t experiment, const void *rows, struct err *err);
/* How table variable names a kind. */
const char *store_blame_kind(enum blame_variable_kind kind);

#endif
