/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_scaling.h - the time of variables in several experiments: compare and speedup with --by
 * variable. */
#ifndef SIS_ANALYSIS_BLAME_SCALING_H
#define SIS_ANALYSIS_BLAME_SCALING_H

#include "commands/command.h"

#define BLAME_BY_OPTION \
	{ "--by", "variable", "the time of variables, from samples: sis-analyze blame" }

/* The experiments that the arguments name, the first of them as the base: with their differences,
 * or with speedup and efficiency. */
int blame_scaling(struct context *c, bool speedup, struct err *err);

#endif
