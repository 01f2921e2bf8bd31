/* SPDX-License-Identifier: BSD-3-Clause */
/* store_variable_overhead.h - stores the overheads of variables. */
#ifndef SIS_ANALYSIS_STORE_VARIABLE_OVERHEAD_H
#define SIS_ANALYSIS_STORE_VARIABLE_OVERHEAD_H

#include "blame/blame.h"
#include "blame/measured_stacks.h"
#include "repository/repository.h"

struct overhead_rows {
	const struct experiment *x;
	const struct flow_program *program;
	const struct measured_stacks *measured;
	const struct blame *blame; /* of measured->placed */
};

/* In the transaction of the experiment, after store_blame: blame points and variables that samples
 * have, too, are there once. */
int store_variable_overhead(struct repo *repo, int64_t experiment, const struct overhead_rows *rows,
			    struct err *err);

#endif
