/* SPDX-License-Identifier: BSD-3-Clause */
/* command_output.h - what a command prints, in memory. */
#ifndef SIS_ANALYSIS_COMMAND_OUTPUT_H
#define SIS_ANALYSIS_COMMAND_OUTPUT_H

#include "commands/command.h"

/* Runs `command` with the words of a command line, on the repository that `c` has open. The caller
 * frees *text, which is never NULL. */
int command_output(struct context *c, const struct command *command, enum format format,
		   const char *const *word, size_t words, char **text, size_t *length,
		   struct err *err);

/* `report`, which prints JSON and, after a NUL, text. */
extern const struct command cmd_report_both;

#endif
