/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_process.h - a process that reads files of programs, with limits on memory, CPU time and
 * the size of its answer. If a file makes a library fail, only the answer is lost. */
#ifndef SIS_ANALYSIS_READER_PROCESS_H
#define SIS_ANALYSIS_READER_PROCESS_H

#include <stdio.h>

#include "base/err.h"

/* Writes the answer to `out`. The process ends afterwards, so nothing needs to be released. */
typedef void reader_writes(FILE *out, const void *question);

/* Returns 1 if the process succeeded, and gives its answer, which the caller frees, in *text.
 * Returns 0 if the process failed, and a negative number if it could not be started. Then *text is
 * NULL. */
int reader_process(char **text, reader_writes *writes, const void *question, struct err *err);

#endif
