/* SPDX-License-Identifier: BSD-3-Clause */
/* run_arguments.h - the experiments that the arguments of a command name. */
#ifndef SIS_ANALYSIS_RUN_ARGUMENTS_H
#define SIS_ANALYSIS_RUN_ARGUMENTS_H

#include "commands/command.h"
#include "query/runs.h"

/* The experiments that the arguments name; without any, all complete ones of the newest one's
 * application. */
int runs_of_arguments(run_list *runs, struct context *c, const char *key, struct err *err);
/* The experiments of a list `A,B,C`; with `repeats` also all complete ones of the same version,
 * command and p. */
int runs_of_list(run_list *runs, struct context *c, const char *list, bool repeats,
		 struct err *err);

#endif
