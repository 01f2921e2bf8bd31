/* SPDX-License-Identifier: BSD-3-Clause */
/* run_arguments.h - finds the experiments that the arguments of a command name. */
#ifndef SIS_ANALYSIS_RUN_ARGUMENTS_H
#define SIS_ANALYSIS_RUN_ARGUMENTS_H

#include "commands/command.h"
#include "answers/query/runs.h"

/* Finds the experiments that the arguments name. Without arguments, finds all complete experiments
 * of the application of the newest experiment. */
int runs_of_arguments(run_list *runs, struct context *c, const char *key, struct err *err);
/* Finds the experiments of a list `A,B,C`. With `repeats`, also finds all complete experiments of
 * the same version, command, role and p. */
int runs_of_list(run_list *runs, struct context *c, const char *list, bool repeats,
		 struct err *err);

#endif
