/* SPDX-License-Identifier: BSD-3-Clause */
/* store_variable_overhead.h - stores the overheads of variables. */
#ifndef SIS_ANALYSIS_STORE_VARIABLE_OVERHEAD_H
#define SIS_ANALYSIS_STORE_VARIABLE_OVERHEAD_H

#include "blame/attribute/blame.h"
#include "blame/attribute/measured_stacks.h"
#include "repository/database/repository.h"

struct overhead_rows {
	const struct experiment *x;
	const struct flow_program *program;
	const struct measured_stacks *measured;
	const struct blame *blame; /* of measured->placed */
};

/* To be called after store_blame, in the transaction of the experiment. Blame points and variables
 * that store_blame has written are used again. */
int store_variable_overhead(struct repo *repo, int64_t experiment, const struct overhead_rows *rows,
			    struct err *err);

#endif
