/* SPDX-License-Identifier: BSD-3-Clause */
/* child.h - executes a command, and waits for it. */
#ifndef SIS_ANALYSIS_CHILD_H
#define SIS_ANALYSIS_CHILD_H

#include "base/err.h"

/* Executes the command (its words, NULL at the end) with the environment of this process. While it
 * runs, signals that are sent to this process reach the command. Sets *status to its status as wait
 * returns it. If the command cannot be executed, sets *status as a shell does, to an exit status of
 * 127 or 126, and returns an error. */
int child_run(const char *const *command, int *status, struct err *err);
/* Ends this process in the way in which the command ended. */
_Noreturn void child_end_like(int status);

#endif
