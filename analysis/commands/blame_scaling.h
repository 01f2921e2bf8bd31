/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_scaling.h - the time of variables in several experiments: the commands compare and speedup
 * with --by variable. */
#ifndef SIS_ANALYSIS_BLAME_SCALING_H
#define SIS_ANALYSIS_BLAME_SCALING_H

#include "commands/command.h"

#define BLAME_BY_OPTION \
	{ "--by", "variable", "the time of variables, from samples: sis-analyze blame" }

/* Compares the experiments that the arguments name; the first one is the base. Prints differences
 * or, with `speedup`, speedup and efficiency. */
int blame_scaling(struct context *c, bool speedup, struct err *err);

#endif
