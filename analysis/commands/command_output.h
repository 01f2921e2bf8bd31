/* SPDX-License-Identifier: BSD-3-Clause */
/* command_output.h - runs a command and keeps what it prints in memory. */
#ifndef SIS_ANALYSIS_COMMAND_OUTPUT_H
#define SIS_ANALYSIS_COMMAND_OUTPUT_H

#include "commands/command.h"

/* Runs `command` with the words of a command line, on the repository that is open in `c`. The
 * caller frees *text, which is never NULL. */
int command_output(struct context *c, const struct command *command, enum format format,
		   const char *const *word, size_t words, char **text, size_t *length,
		   struct err *err);

/* The command `report`, but it prints JSON, a NUL, and text. */
extern const struct command cmd_report_both;

#endif
